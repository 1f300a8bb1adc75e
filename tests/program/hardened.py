#!/usr/bin/env python3
"""Checks that the program is hardened, and so is every object of this project in it.

Usage: hardened.py PROGRAM [OBJECT...]

The program must be position-independent and have full RELRO, stack protectors and the checked functions of
_FORTIFY_SOURCE. Every OBJECT must have the note for control-flow protection (CET). The program has this note
only if all objects of the C library have it, too; on Debian 12 Scrt1.o, crti.o and libc_nonshared.a do not.
"""

import subprocess
import sys


def readelf(option, *files):
    return subprocess.run(["readelf", "-W", option, *files], check=True, capture_output=True,
                          text=True).stdout


program, *objects = sys.argv[1:]
missing = [f"{program}: {text} is missing"
           for option, texts in {"-l": ["GNU_RELRO"], "-d": ["BIND_NOW", "PIE"],
                                 "--dyn-syms": ["__stack_chk_fail", "__memcpy_chk"]}.items()
           for text in texts if text not in readelf(option, program)]
missing += [f"{name}: the note for CET is missing"
            for name in objects if "IBT, SHSTK" not in readelf("-n", name)]
print("\n".join(missing))
sys.exit(1 if missing else 0)
