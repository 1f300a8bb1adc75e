"""What the tests of commands on several processes share: checks that are counted, and reports without times."""

import re

failures = 0


def expect(good, what):
    """Counts and prints a check that fails."""
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def without_times(report):
    return re.sub(r'"(time_ms|teps|gb_per_s|gflops)":[^,}]*', "", report)
