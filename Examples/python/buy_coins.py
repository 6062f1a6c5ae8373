#!/usr/bin/env python3
"""Buys coins as an app and spends some as a service, with the generated client. README.md says how to run it.

The environment is what ./dev up writes to dev.env.
"""

import os
import uuid

import httpx

from ledgerd_client import AuthenticatedClient
from ledgerd_client.api.acts import spend
from ledgerd_client.api.me import get_my_balance, list_my_statement
from ledgerd_client.api.shop import make_order, present_receipt
from ledgerd_client.models import OrderRequest, ReceiptV1, SpendRequest, WaitingReceipt
from ledgerd_retries import Retries


def connect(token):
    """A client with this token, which retries."""
    return AuthenticatedClient(
        base_url=os.environ["LEDGERD_URL"], token=token, timeout=httpx.Timeout(20), httpx_args={"transport": Retries()})


def accepted(response):
    """What the service answered; ends the program if it refused."""
    if response.status_code >= 400:
        raise SystemExit(f"{response.status_code.value}: {response.content.decode()}")
    return response.parsed


def pay(order):
    """Stands for the payment window. Returns the receipt."""
    payment = {"merchant_uid": order.merchant_uid, "amount": order.amount}
    paid = httpx.post(os.environ["SANDBOX_URL"] + "/sandbox/payments", json=payment).raise_for_status().json()
    return ReceiptV1(imp_uid=paid["imp_uid"], merchant_uid=order.merchant_uid)


def buy(app, product):
    """Orders, pays and presents the receipt."""
    wanted = OrderRequest(product=product)
    order = accepted(make_order.sync_detailed(client=app, body=wanted, idempotency_key=str(uuid.uuid4())))
    receipt = accepted(present_receipt.sync_detailed(client=app, body=pay(order)))
    if isinstance(receipt, WaitingReceipt):
        raise SystemExit(f"The coins come later: {receipt.code}")


def main():
    app, service = connect(os.environ["USER_TOKEN"]), connect(os.environ["SERVICE_TOKEN"])
    buy(app, "coins_100")
    balance = accepted(get_my_balance.sync_detailed(client=app))
    print("bought", balance.available)

    # The key has the id of what is paid with the coins.
    song = SpendRequest(coins=30, reference="song:1")
    spent = accepted(spend.sync_detailed(
        balance.user, client=service, body=song, idempotency_key=f"play-{uuid.uuid4()}"))
    print("spent", spent.balance.available)

    for entry in accepted(list_my_statement.sync_detailed(client=app, limit=2)).entries:
        print("entry", entry.kind)


if __name__ == "__main__":
    main()
