"""`python -m evenfold devices`: the devices that the package can use."""

from __future__ import annotations

import argparse

from ._engines import devices, facts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evenfold")
    parser.add_argument("command", choices=["devices"], help="list the devices and their speed")
    parser.parse_args()
    for device in devices():
        fact = facts(device)
        print(
            f"{device:<10} {fact['name']}: {fact['backend']}, {fact['workers']} workers,"
            f" {fact['memory_bytes'] / 2**30:.1f} GiB of memory,"
            f" copies {fact['copy_bytes_per_second'] / 1e9:.1f} GB/s"
        )


if __name__ == "__main__":
    main()
