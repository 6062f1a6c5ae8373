"""The settings of the service that decide what is posted, by the names that it reads."""

import os
import re

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400}


def number(name):
    return int(os.environ.get(name, 0))


def seconds(name, default=None):
    text = os.environ.get(name)
    if not text:
        return default
    count, unit = re.fullmatch(r"(\d+)(ms|s|m|h|d)", text).groups()
    return int(count) * UNITS[unit]


TOP_UPS_A_DAY = int(os.environ.get("LEDGERD_TOP_UPS_A_DAY", 3))
RETURN_GRACE = seconds("LEDGERD_RETURN_GRACE", 7 * 86_400)
PAID_COIN_LIFETIME = seconds("LEDGERD_PAID_COIN_LIFETIME")
BONUS_COIN_LIFETIME = seconds("LEDGERD_BONUS_COIN_LIFETIME")
WHOLE_DAYS_FROM = os.environ.get("LEDGERD_WHOLE_DAYS_FROM") or "0001-01-01"  # the ledger is new
GIFT_FEE_PERCENT = number("LEDGERD_GIFT_FEE_PERCENT")
FEE_PERCENT = number("LEDGERD_REFUND_FEE_PERCENT")
FEE_MINIMUM = number("LEDGERD_REFUND_FEE_MINIMUM")
FREE_DAYS = number("LEDGERD_REFUND_FREE_DAYS")
CHARGES_USED_BONUS = os.environ.get("LEDGERD_REFUND_USED_BONUS", "charge") == "charge"
FREEZES_DISPUTED = os.environ.get("LEDGERD_FREEZE_DISPUTED") == "true"
EXPIRED_DAYS = number("LEDGERD_REFUND_EXPIRED_DAYS")
EXPIRED_PERCENT = int(os.environ.get("LEDGERD_REFUND_EXPIRED_PERCENT", 90))
VAT = os.environ.get("LEDGERD_VAT") == "true"
VAT_BREAKAGE = os.environ.get("LEDGERD_VAT_BREAKAGE") == "true"
VAT_REFUND_FEES = os.environ.get("LEDGERD_VAT_REFUND_FEES") == "true"
WITHHOLDING = os.environ.get("LEDGERD_PROVIDER_WITHHOLDING", "none")
SAFEGUARD_PERCENT = int(os.environ.get("LEDGERD_PREPAID_SAFEGUARD_PERCENT", 100))
BONUS_WORTH = number("LEDGERD_PREPAID_BONUS_WORTH")
