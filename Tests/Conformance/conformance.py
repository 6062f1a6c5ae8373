"""Checks a running stand-in gateway; see run.sh."""

import sys

import documents
import libraries
from sandbox import Checks, Sandbox


def main(url):
    sandbox = Sandbox(url)
    checks = Checks()
    for check in (documents.check_v1, documents.check_v2, libraries.check_v1, libraries.check_v2):
        checks.attempt(f"{check.__module__}.{check.__name__} ran to its end", lambda: check(sandbox, checks))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
