"""Checks the running simulated stores; see run.sh."""

import sys

import apple
import play
from sandbox import Checks, Sandbox


def main(url):
    stores = Sandbox(url)
    checks = Checks()
    for check in (
        apple.check_signatures, apple.check_certificate_status, apple.check_calls, apple.check_notifications,
        play.check_purchases, play.check_orders, play.check_voided, play.check_messages,
    ):
        checks.attempt(f"{check.__module__}.{check.__name__} ran to its end", lambda: check(stores, checks))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
