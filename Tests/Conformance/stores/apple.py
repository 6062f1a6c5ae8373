"""Apple's library for servers (app-store-server-library), pointed at the simulated App Store."""

import base64
import json
import time
import uuid

from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion,
)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestReason import ConsumptionRequestReason
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RevocationType import RevocationType
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus,
)

from sandbox import Receiver

# What Apple's verifier says to each defect: only good signatures are read.
DEFECTS = {
    "no_leaf_oid": VerificationStatus.VERIFICATION_FAILURE,
    "no_intermediate_oid": VerificationStatus.VERIFICATION_FAILURE,
    "critical_oid": VerificationStatus.VERIFICATION_FAILURE,
    "four_long": VerificationStatus.INVALID_CHAIN_LENGTH,
    "two_long": VerificationStatus.INVALID_CHAIN_LENGTH,
    "other_root": VerificationStatus.VERIFICATION_FAILURE,
    "rsa_leaf": VerificationStatus.VERIFICATION_FAILURE,
    "expired": VerificationStatus.VERIFICATION_FAILURE,
    "tampered": VerificationStatus.VERIFICATION_FAILURE,
    "hs256": VerificationStatus.VERIFICATION_FAILURE,
}

# What it says to each mode of the OCSP responder; None where it accepts the certificates.
MODES = {
    "good": None,
    "revoked": VerificationStatus.VERIFICATION_FAILURE,
    "unknown": VerificationStatus.VERIFICATION_FAILURE,
    "stale": VerificationStatus.VERIFICATION_FAILURE,
    "future": VerificationStatus.VERIFICATION_FAILURE,
    "try_later": VerificationStatus.VERIFICATION_FAILURE,
    "error": VerificationStatus.RETRYABLE_VERIFICATION_FAILURE,
    "down": VerificationStatus.RETRYABLE_VERIFICATION_FAILURE,
}


class Client(AppStoreServerAPIClient):
    """Apple's client, which takes no base URL, with the simulated one."""

    def __init__(self, app, environment, **changes):
        keys = {"key_id": app["key_id"], "issuer_id": app["issuer_id"], "bundle_id": app["bundle_id"], **changes}
        super().__init__(signing_key=app["private_key"].encode(), environment=environment, **keys)
        self._base_url = app["urls"][environment.value]


class AppStore:
    """The simulated App Store as a test controls it."""

    def __init__(self, stores):
        self.stores = stores
        self.app = self.control("GET", "")
        self.root = base64.b64decode(self.app["root_certificate"])

    def control(self, method, path, body=None, expected=(200, 201, 202)):
        status, answer = self.stores.send(method, "/sandbox/apple" + path, body)
        assert status in expected, answer
        return answer

    def buy(self, **members):
        members.setdefault("product_id", "coins_100")
        return self.control("POST", "/purchases", members)

    def change(self, purchase, act, **members):
        return self.control("PATCH", "/purchases/" + purchase["transaction_id"], {"act": act, **members})

    def customer(self):
        """A customer who bought nothing before."""
        return self.stores.order()

    def verifier(self, environment=Environment.PRODUCTION, online=False, **changes):
        names = {"bundle_id": self.app["bundle_id"], "app_apple_id": self.app["app_apple_id"], **changes}
        return SignedDataVerifier([self.root], online, environment, **names)


def verdict(verify):
    """The status of a refusal; None if there is none."""
    try:
        verify()
    except VerificationException as refusal:
        return refusal.status
    return None


def refusal(call):
    """The status and the code of a refusal; None if there is none."""
    try:
        call()
    except APIException as error:
        return error.http_status_code, error.api_error
    return None


def check_signatures(stores, checks):
    store = AppStore(stores)
    verifier = store.verifier()
    token = str(uuid.uuid4())
    bought = store.buy(quantity=3, app_account_token=token)

    def read(purchase, by=verifier):
        return by.verify_and_decode_signed_transaction(purchase["signed_transaction"])

    def good():
        read_ = read(bought)
        return (
            read_.transactionId == bought["transaction_id"] and read_.quantity == 3 and read_.price == 3600000
            and read_.currency == "KRW" and read_.storefront == "KOR" and read_.appAccountToken == token
            and read_.environment == Environment.PRODUCTION and read_.revocationDate is None
        )

    checks.attempt("the verifier reads a transaction", good)
    for defect, expected in DEFECTS.items():
        found = verdict(lambda: read(store.buy(signing=defect)))
        checks.expect(f"the verifier refuses {defect}", found == expected, f"{found!r} in place of {expected!r}")
    for name, by, expected in (
        ("another app", store.verifier(bundle_id="com.example.other"), VerificationStatus.INVALID_APP_IDENTIFIER),
        ("the sandbox", store.verifier(Environment.SANDBOX), VerificationStatus.INVALID_ENVIRONMENT),
    ):
        found = verdict(lambda: read(bought, by))
        checks.expect(f"the verifier of {name} refuses", found == expected, repr(found))
    sandbox = store.buy(environment="Sandbox")
    checks.attempt(
        "the sandbox's verifier reads its transactions",
        lambda: read(sandbox, store.verifier(Environment.SANDBOX)).environment == Environment.SANDBOX)
    part = read(store.change(bought, "refund", percentage=33333, reason=1))
    checks.expect(
        "a part is refunded",
        part.revocationType == RevocationType.REFUND_PRORATED and part.revocationPercentage == 33333
        and part.revocationReason == 1 and part.revocationDate is not None, repr(part))
    whole = read(store.change(bought, "refund"))
    checks.expect(
        "all is refunded",
        whole.revocationType == RevocationType.REFUND_FULL and whole.revocationPercentage == 100000, repr(whole))
    again = read(store.change(bought, "reverse_refund"))
    checks.expect(
        "a refund is reversed", again.revocationDate is None and again.revocationPercentage is None, repr(again))
    odd = read(store.buy(type="Hologram", ownership="BORROWED"))
    checks.expect(
        "unknown values stay readable",
        odd.type is None and odd.rawType == "Hologram" and odd.rawInAppOwnershipType == "BORROWED", repr(odd))
    free = read(store.buy(offer_code="SPRING"))
    checks.expect(
        "a code costs nothing",
        free.price == 0 and free.offerDiscountType == OfferDiscountType.ONE_TIME and free.offerIdentifier == "SPRING",
        repr(free))


def check_certificate_status(stores, checks):
    store = AppStore(stores)
    bought = store.buy()
    try:
        for mode, expected in MODES.items():
            store.control("PUT", "/ocsp", {"mode": mode})
            # A verifier of its own, because it remembers good chains.
            by = store.verifier(online=True)
            found = verdict(lambda: by.verify_and_decode_signed_transaction(bought["signed_transaction"]))
            checks.expect(f"OCSP {mode}", found == expected, f"{found!r} in place of {expected!r}")
    finally:
        store.control("PUT", "/ocsp", {"mode": "good"})


def check_calls(stores, checks):
    store = AppStore(stores)
    client = Client(store.app, Environment.PRODUCTION)
    verifier = store.verifier()
    customer = store.customer()
    first = store.buy(customer=customer)
    one = first["transaction_id"]

    def ids(answer):
        return [verifier.verify_and_decode_signed_transaction(jws).transactionId for jws in answer.signedTransactions]

    checks.attempt(
        "Get Transaction Info",
        lambda: verifier.verify_and_decode_signed_transaction(
            client.get_transaction_info(one).signedTransactionInfo).transactionId == one)

    def history():
        more = [store.buy(customer=customer)["transaction_id"] for _ in range(24)]
        page = client.get_transaction_history(
            one, None, TransactionHistoryRequest(sort=Order.ASCENDING), GetTransactionHistoryVersion.V2)
        assert page.hasMore and page.bundleId == store.app["bundle_id"], page
        rest = client.get_transaction_history(
            one, page.revision, TransactionHistoryRequest(sort=Order.ASCENDING), GetTransactionHistoryVersion.V2)
        return not rest.hasMore and ids(page) + ids(rest) == [one] + more

    checks.attempt("Get Transaction History", history)
    checks.attempt(
        "an empty history by a filter",
        lambda: client.get_transaction_history(
            one, None, TransactionHistoryRequest(revoked=True), GetTransactionHistoryVersion.V2
        ).signedTransactions == [])

    def finish():
        client.finish_transaction(one)
        newest = TransactionHistoryRequest(sort=Order.DESCENDING)
        every = client.get_transaction_history(one, None, newest, GetTransactionHistoryVersion.V2)
        old = client.get_transaction_history(one, None, newest, GetTransactionHistoryVersion.V1)
        shown = store.control("GET", "/purchases/" + one)
        return ids(every)[0] == one and one not in ids(old) and shown["finished_at"] is not None

    checks.attempt("Finish Transaction", finish)

    def refunds():
        store.change(first, "refund")
        found = client.get_refund_history(one, None)
        return ids(found) == [one] and found.hasMore is False

    checks.attempt("Get Refund History", refunds)

    def order():
        found = client.look_up_order_id(first["order_id"])
        unknown = client.look_up_order_id("M000000000")
        return (
            found.status == OrderLookupStatus.VALID and ids(found) == [one]
            and unknown.status == OrderLookupStatus.INVALID
        )

    checks.attempt("Look Up Order ID", order)

    def consumption():
        client.send_consumption_information(one, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
            consumptionPercentage=40000, refundPreference=RefundPreference.GRANT_PRORATED))
        kept = store.control("GET", "/purchases/" + one)["consumption"]
        return kept[-1]["body"]["consumptionPercentage"] == 40000

    checks.attempt("Send Consumption Information", consumption)

    def account():
        token = str(uuid.uuid4())
        client.set_app_account_token(one, UpdateAppAccountTokenRequest(appAccountToken=token))
        info = client.get_transaction_info(one).signedTransactionInfo
        return verifier.verify_and_decode_signed_transaction(info).appAccountToken == token

    checks.attempt("Set App Account Token", account)
    check_refusals(store, checks, client, one)


def check_refusals(store, checks, client, one):
    unconsented = ConsumptionRequest(
        customerConsented=False, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED)
    late = store.buy(late_lookups=1)["transaction_id"]
    subscription = store.buy(type="Non-Renewing Subscription")["transaction_id"]
    consented = ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED)
    sandbox = Client(store.app, Environment.SANDBOX)
    cases = [
        ("an unknown transaction", lambda: client.get_transaction_info("1"), 404, APIError.TRANSACTION_ID_NOT_FOUND),
        ("another environment", lambda: sandbox.get_transaction_info(one), 404, APIError.TRANSACTION_ID_NOT_FOUND),
        ("a malformed id", lambda: client.get_transaction_info("x"), 400, APIError.INVALID_TRANSACTION_ID),
        ("a late transaction", lambda: client.get_transaction_info(late), 404,
         APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND_RETRYABLE),
        ("no consent", lambda: client.send_consumption_information(one, unconsented), 400,
         APIError.INVALID_CUSTOMER_CONSENTED),
        ("an unsupported type", lambda: client.send_consumption_information(subscription, consented), 400,
         APIError.INVALID_TRANSACTION_TYPE_NOT_SUPPORTED),
        ("a token that is no UUID",
         lambda: client.set_app_account_token(one, UpdateAppAccountTokenRequest(appAccountToken="x")), 400,
         APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR),
        ("another key", lambda: Client(store.app, Environment.PRODUCTION, key_id="OTHER").get_transaction_info(one),
         401, None),
        ("another app", lambda: Client(store.app, Environment.PRODUCTION, bundle_id="x").get_transaction_info(one),
         401, None),
    ]
    for name, call, status, code in cases:
        found = refusal(call)
        checks.expect(f"{name} is refused", found == (status, code), f"{found!r} in place of {(status, code)!r}")
    checks.attempt("the late transaction is found then", lambda: client.get_transaction_info(late) is not None)
    store.stores.send("PUT", "/sandbox/faults", {"path": "/apple/production/*", "kind": "refusal"})
    found = refusal(lambda: client.get_transaction_info(one))
    checks.expect("an error to be retried", found == (500, APIError.GENERAL_INTERNAL_RETRYABLE), repr(found))
    try:
        store.control("PUT", "/limits", {"call": "look_up_order_id", "per_hour": 0})
        found = refusal(lambda: client.look_up_order_id("M000000000"))
        checks.expect("the rate limit", found == (429, APIError.RATE_LIMIT_EXCEEDED), repr(found))
    finally:
        store.control("PUT", "/limits", {"call": "look_up_order_id", "per_hour": None})
    try:
        store.control("PUT", "/app", {"is_released": False})
        found = refusal(lambda: client.get_transaction_info(one))
        checks.expect("an app that was never released", found == (401, None), repr(found))
    finally:
        store.control("PUT", "/app", {"is_released": True})


def check_notifications(stores, checks):
    store = AppStore(stores)
    client = Client(store.app, Environment.PRODUCTION)
    verifier = store.verifier()
    with Receiver() as receiver:
        def told():
            _, body = receiver.told.get(timeout=30)
            return json.loads(body)["signedPayload"]

        store.control("PUT", "/app", {
            "notification_url": receiver.url + "/production", "sandbox_notification_url": receiver.url + "/sandbox"})
        began = int(time.time() * 1000) - 1000
        customer = store.customer()
        bought = store.buy(customer=customer)
        charge = verifier.verify_and_decode_notification(told())
        checks.expect(
            "a purchase is told", charge.notificationType == NotificationTypeV2.ONE_TIME_CHARGE
            and charge.data.appAppleId == store.app["app_apple_id"], repr(charge))
        inner = verifier.verify_and_decode_signed_transaction(charge.data.signedTransactionInfo)
        checks.expect("it has the transaction", inner.transactionId == bought["transaction_id"], repr(inner))

        store.change(bought, "ask_consumption", consumption_reason="LEGAL")
        asked = verifier.verify_and_decode_notification(told())
        checks.expect(
            "consumption is asked for", asked.notificationType == NotificationTypeV2.CONSUMPTION_REQUEST
            and asked.data.consumptionRequestReason == ConsumptionRequestReason.LEGAL, repr(asked))

        store.change(bought, "refund")
        signed = told()
        refunded = verifier.verify_and_decode_notification(signed)
        checks.expect("a refund is told", refunded.notificationType == NotificationTypeV2.REFUND, repr(refunded))
        found = verdict(lambda: store.verifier(app_apple_id=1).verify_and_decode_notification(signed))
        checks.expect("another app refuses it", found == VerificationStatus.INVALID_APP_IDENTIFIER, repr(found))

        store.change(bought, "announce", type="NEWS_OF_TODAY")
        news = verifier.verify_and_decode_notification(told())
        checks.expect(
            "an unknown type stays readable",
            news.notificationType is None and news.rawNotificationType == "NEWS_OF_TODAY", repr(news))

        store.control("PUT", "/notifications/plan", {"act": "sign", "signing": "other_root"})
        store.change(bought, "decline_refund")
        found = verdict(lambda: verifier.verify_and_decode_notification(told()))
        checks.expect("a forged notification is refused", found == VerificationStatus.VERIFICATION_FAILURE, repr(found))

        sandbox = store.verifier(Environment.SANDBOX)
        store.buy(environment="Sandbox")
        elsewhere = sandbox.verify_and_decode_notification(told())
        checks.expect(
            "the sandbox tells of itself", elsewhere.data.environment == Environment.SANDBOX
            and elsewhere.data.appAppleId is None, repr(elsewhere))

        def test():
            token = client.request_test_notification().testNotificationToken
            sent = told()
            assert verifier.verify_and_decode_notification(sent).notificationType == NotificationTypeV2.TEST
            for _ in range(300):
                status = client.get_test_notification_status(token)
                assert status.signedPayload == sent
                if status.sendAttempts:
                    return status.sendAttempts[0].sendAttemptResult == SendAttemptResult.SUCCESS
                time.sleep(0.1)
            return False

        checks.attempt("a test notification", test)

        def history():
            store.control("PUT", "/notifications/plan", {"act": "drop", "type": "REFUND_DECLINED"})
            store.change(bought, "decline_refund")
            request = NotificationHistoryRequest(
                startDate=began, endDate=int(time.time() * 1000) + 1000, transactionId=bought["transaction_id"],
                onlyFailures=True)
            lost = client.get_notification_history(None, request).notificationHistory
            types = [verifier.verify_and_decode_notification(item.signedPayload).notificationType for item in lost]
            return (
                types == [NotificationTypeV2.REFUND_DECLINED]
                and lost[0].sendAttempts[0].sendAttemptResult == SendAttemptResult.NO_RESPONSE
            )

        checks.attempt("Get Notification History", history)
