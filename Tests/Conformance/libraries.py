"""Published client libraries, pointed at the gateway."""

import portone_server_sdk
from iamport import Iamport
from portone_server_sdk.common import PaymentAmountInput
from portone_server_sdk.errors import AlreadyPaidError, BillingKeyNotFoundError, PgProviderError
from portone_server_sdk.payment import CancelPaymentError, GetPaymentError, PayWithBillingKeyError

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
    check_v1_cards(sandbox, client, checks)
    wrong = Iamport(imp_key="x", imp_secret="y", imp_url=sandbox.url + "/")
    checks.attempt(
        "iamport is refused with a wrong secret", lambda: refuses(lambda: wrong.find(imp_uid=imp_uid), Iamport.HttpError))


def check_v1_cards(sandbox, client, checks):
    """Charges of a registered card: what they answer, and what is found afterwards."""
    order = sandbox.order()

    def charge(card="card-1", order=order, **members):
        return client.pay_again(customer_uid=card, merchant_uid=order, amount=1000, name="코인", **members)

    def charges():
        payment = charge(tax_free=300)
        found = client.find(imp_uid=payment["imp_uid"])
        return payment["status"] == "paid" and payment["customer_uid"] == "card-1" and (
            payment["customer_uid_usage"] == "payment" and found["merchant_uid"] == order and found["amount"] == 1000)

    def declines():
        declined = sandbox.order()
        payment = charge("declined-1", declined)
        return payment["status"] == "failed" and payment["fail_reason"] and (
            client.find(merchant_uid=declined)["status"] == "failed" and not client.is_paid(1000, response=payment))

    checks.attempt("iamport charges a registered card", charges)
    checks.attempt("iamport is refused for a paid order", lambda: refuses(charge, Iamport.ResponseError))
    checks.attempt("iamport reads that a card is declined", declines)
    checks.attempt(
        "iamport is refused for a deleted card",
        lambda: refuses(lambda: charge("deleted-1", sandbox.order()), Iamport.ResponseError))
    checks.attempt(
        "iamport cancels the charge", lambda: client.cancel("r", merchant_uid=order)["cancel_amount"] == 1000)


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
    check_v2_cards(sandbox, client, checks)
    checks.attempt("SDK verifies a webhook", lambda: verifies(sandbox))


def check_v2_cards(sandbox, client, checks):
    """Charges of a registered card: what they answer, and what is found afterwards."""
    order, declined = sandbox.order(), sandbox.order()

    def charge(card="card-1", order=order):
        return client.pay_with_billing_key(
            payment_id=order, billing_key=card, order_name="코인", amount=PaymentAmountInput(total=1000, tax_free=300),
            currency="KRW").payment

    def charges():
        summary, found = charge(), client.get_payment(payment_id=order)
        return kind(found) == "PaidPayment" and found.amount.total == 1000 and found.amount.tax_free == 300 and (
            found.billing_key == "card-1" and found.pg_tx_id == summary.pg_tx_id and summary.paid_at != "")

    def refusal(card, order, expected):
        """Whether a charge is refused with this type."""
        try:
            charge(card, order)
        except PayWithBillingKeyError as error:
            return isinstance(error, expected)
        return False

    checks.attempt("SDK charges a registered card", charges)
    checks.attempt("SDK is refused for a paid payment", lambda: refusal("card-1", order, AlreadyPaidError))
    checks.attempt("SDK reads that a card is declined", lambda: refusal("declined-1", declined, PgProviderError))
    checks.attempt("SDK finds the declined charge", lambda: reads(client, {"payment_id": declined}, "FailedPayment"))
    checks.attempt(
        "SDK is refused for a deleted card",
        lambda: refusal("deleted-1", sandbox.order(), BillingKeyNotFoundError))
    checks.attempt(
        "SDK cancels the charge",
        lambda: kind(client.cancel_payment(payment_id=order, reason="r").cancellation)
        == "SucceededPaymentCancellation")


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
