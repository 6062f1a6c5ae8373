"""Published client libraries, pointed at the gateway."""

import portone_server_sdk
from iamport import Iamport
from portone_server_sdk.payment import CancelPaymentError, GetPaymentError

from sandbox import V1_KEYS, V2_SECRET, WEBHOOK_SECRET, Receiver


def refuses(act, error):
    """Whether `act` throws `error`."""
    try:
        act()
    except error:
        return True
    return False


STATES = {
    "READY": "ReadyPayment", "PAY_PENDING": "PayPendingPayment", "FAILED": "FailedPayment",
    "CANCELLED": "CancelledPayment",
}


def kind(value):
    """The library's name for a case of a union."""
    return type(value).__name__


def reads(client, payment, expected):
    return kind(client.get_payment(payment_id=payment["payment_id"])) == expected


def check_v1(sandbox, checks):
    client = Iamport(imp_url=sandbox.url + "/", **V1_KEYS)
    payment = sandbox.pay()
    imp_uid, order = payment["imp_uid"], payment["merchant_uid"]
    checks.attempt("iamport finds by imp_uid", lambda: client.find(imp_uid=imp_uid)["merchant_uid"] == order)
    checks.attempt("iamport finds by merchant_uid", lambda: client.find(merchant_uid=order)["imp_uid"] == imp_uid)
    checks.attempt("iamport knows it is paid", lambda: client.is_paid(1000, imp_uid=imp_uid))
    checks.attempt(
        "iamport finds nothing where nothing is",
        lambda: refuses(lambda: client.find(imp_uid="imp_0"), Iamport.HttpError))
    fresh = sandbox.order()
    checks.attempt("iamport prepares", lambda: client.prepare(fresh, 1000)["amount"] == 1000)
    checks.attempt("iamport validates what it prepared", lambda: client.prepare_validate(fresh, 1000))
    checks.attempt(
        "iamport cancels a part",
        lambda: client.cancel("r", imp_uid=imp_uid, amount=400, checksum=1000)["cancel_amount"] == 400)
    checks.attempt(
        "iamport is refused by a wrong checksum",
        lambda: refuses(lambda: client.cancel("r", imp_uid=imp_uid, checksum=1000), Iamport.ResponseError))
    checks.attempt(
        "iamport cancels the rest", lambda: client.cancel("r", merchant_uid=order)["cancel_amount"] == 1000)
    checks.attempt(
        "iamport is refused when all is cancelled",
        lambda: refuses(lambda: client.cancel("r", imp_uid=imp_uid), Iamport.ResponseError))
    account = sandbox.pay(status="ready", pay_method="vbank")["imp_uid"]
    checks.attempt(
        "iamport closes an account", lambda: client.revoke_vbank_by_imp_uid(account)["status"] == "failed")
    wrong = Iamport(imp_key="x", imp_secret="y", imp_url=sandbox.url + "/")
    checks.attempt(
        "iamport is refused with a wrong secret", lambda: refuses(lambda: wrong.find(imp_uid=imp_uid), Iamport.HttpError))


def check_v2(sandbox, checks):
    client = portone_server_sdk.PaymentClient(secret=V2_SECRET, base_url=sandbox.url, store_id="store-sandbox")
    payment = sandbox.pay_v2(name="코인", custom_data={"a": 1})
    order = payment["payment_id"]

    def get():
        found = client.get_payment(payment_id=order)
        return kind(found) == "PaidPayment" and found.amount.total == 1000 and found.channel.type == "LIVE"

    checks.attempt("SDK gets a payment", get)
    for state, expected in STATES.items():
        checks.attempt(f"SDK reads {state}", lambda: reads(client, sandbox.pay_v2(status=state), expected))
    checks.attempt(
        "SDK finds nothing where nothing is",
        lambda: refuses(lambda: client.get_payment(payment_id="none"), GetPaymentError))
    checks.attempt(
        "SDK pre-registers",
        lambda: client.pre_register_payment(payment_id=sandbox.order(), total_amount=1000) is not None)
    checks.attempt(
        "SDK lists", lambda: order in [item.id for item in client.get_payments().items])

    def walk():
        seen, cursor = 0, None
        while items := client.get_all_payments_by_cursor(size=7, cursor=cursor).items:
            seen, cursor = seen + len(items), items[-1].cursor
        return seen > 5

    checks.attempt("SDK walks by cursor", walk)
    checks.attempt(
        "SDK cancels a part",
        lambda: kind(client.cancel_payment(
            payment_id=order, amount=400, reason="r", current_cancellable_amount=1000).cancellation)
        == "SucceededPaymentCancellation")
    checks.attempt("SDK reads a part cancelled", lambda: reads(client, payment, "PartialCancelledPayment"))
    checks.attempt(
        "SDK reads the events",
        lambda: -400 in [item.payment_event.event_amount
                         for item in client.get_all_payment_events_by_cursor(size=1000).items])
    checks.attempt(
        "SDK is refused by a wrong guard",
        lambda: refuses(
            lambda: client.cancel_payment(payment_id=order, reason="r", current_cancellable_amount=1000),
            CancelPaymentError))
    checks.attempt("SDK verifies a webhook", lambda: verifies(sandbox))


def verifies(sandbox):
    """Whether a webhook passes the library's check, and a changed one doesn't."""
    with Receiver() as receiver:
        payment = sandbox.pay_v2(notice_url=receiver.url)
        types = []
        for _ in range(2):
            headers, body = receiver.told.get(timeout=10)
            message = portone_server_sdk.webhook.verify(WEBHOOK_SECRET, body, headers)
            assert message.data.payment_id == payment["payment_id"]
            types.append(kind(message))
        changed = body.replace(payment["payment_id"], "other")
        forged = refuses(
            lambda: portone_server_sdk.webhook.verify(WEBHOOK_SECRET, changed, headers),
            portone_server_sdk.webhook.WebhookVerificationError)
        return forged and types == ["WebhookTransactionReady", "WebhookTransactionPaid"]
