"""Google's client (google-api-python-client, google-auth), pointed at the simulated Google Play."""

import base64
import json

import google.auth.exceptions
import jwt
from google.auth.transport import requests
from google.oauth2 import id_token, service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from discovery import ANDROID_PUBLISHER, PUBSUB
from sandbox import Receiver

SCOPE = "https://www.googleapis.com/auth/androidpublisher"
AUDIENCE = "https://shop.example.com/push"

# Which defects google-auth refuses; it compares neither issuer nor email.
DEFECTS = {
    "none": True, "other_audience": False, "unknown_key": False, "other_key": False, "expired": False,
    "tampered": False, "hs256": False, "unsigned": False, "other_issuer": True, "other_email": True,
    "unverified_email": True,
}


class Play:
    """The simulated Google Play as a test controls it, with Google's client."""

    def __init__(self, stores):
        self.stores = stores
        self.app = self.control("GET", "")
        self.package = {"packageName": self.app["package_name"]}
        self.client = self.connect(self.app["service_account"])
        self.purchases = self.client.purchases()
        self.orders = self.client.orders()

    def connect(self, account):
        credentials = service_account.Credentials.from_service_account_info(account, scopes=[SCOPE])
        return build(
            "androidpublisher", "v3", credentials=credentials, static_discovery=True, cache_discovery=False,
            client_options={"api_endpoint": self.app["urls"]["api"]})

    def control(self, method, path, body=None, expected=(200, 201, 202)):
        status, answer = self.stores.send(method, "/sandbox/google" + path, body)
        assert status in expected, answer
        return answer

    def buy(self, **members):
        if "items" not in members:
            members.setdefault("product_id", "coins_100")
        return self.control("POST", "/purchases", members)

    def change(self, purchase, act, **members):
        return self.control("PATCH", "/purchases/" + purchase["purchase_token"], {"act": act, **members})

    # MARK: Google's API

    def v2(self, purchase):
        token = purchase["purchase_token"]
        return self.read(
            "ProductPurchaseV2", self.purchases.productsv2().getproductpurchasev2(token=token, **self.package))

    def v1(self, purchase, product="coins_100"):
        token = purchase["purchase_token"]
        return self.read(
            "ProductPurchase", self.purchases.products().get(productId=product, token=token, **self.package))

    def order(self, purchase):
        return self.read("Order", self.orders.get(orderId=purchase["order_id"], **self.package))

    def voided(self, **query):
        return self.read(
            "VoidedPurchasesListResponse", self.purchases.voidedpurchases().list(**query, **self.package))

    def consume(self, purchase, product="coins_100"):
        self.purchases.products().consume(
            productId=product, token=purchase["purchase_token"], **self.package).execute()

    def acknowledge(self, purchase, product="coins_100"):
        self.purchases.products().acknowledge(
            productId=product, token=purchase["purchase_token"], body={"developerPayload": "p"},
            **self.package).execute()

    @staticmethod
    def read(schema, request):
        """The answer, which must be of the document's schema."""
        answer = request.execute()
        problems = ANDROID_PUBLISHER.problems(schema, answer)
        assert not problems, (schema, problems)
        return answer


def refusal(call):
    """The status and the reason of a refusal; None if there is none."""
    try:
        call()
    except HttpError as error:
        return error.status_code, json.loads(error.content)["error"]["errors"][0]["reason"]
    return None


def state(purchase):
    return purchase["purchaseStateContext"]["purchaseState"]


def details(purchase):
    return purchase["productLineItem"][0]["productOfferDetails"]


def check_purchases(stores, checks):
    play = Play(stores)

    def life():
        bought = play.buy(quantity=3, account_id="user-7", profile_id="p", offer_id="spring")
        before, old = play.v2(bought), play.v1(bought)
        assert state(before) == "PURCHASED" and old["purchaseState"] == 0, (before, old)
        assert before["obfuscatedExternalAccountId"] == "user-7" and details(before)["refundableQuantity"] == 3
        play.acknowledge(bought)
        assert play.v2(bought)["acknowledgementState"] == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        play.consume(bought)
        after = play.v1(bought)
        return after["consumptionState"] == 1 and after["developerPayload"] == "p" and after["quantity"] == 3

    checks.attempt("a purchase is read, acknowledged and consumed", life)

    def escaped():
        bought = play.buy(purchase_token=f"a/b:c d{stores.order()}")
        play.consume(bought)
        return details(play.v2(bought))["consumptionState"] == "CONSUMPTION_STATE_CONSUMED"

    checks.attempt("a token is escaped", escaped)

    def pending():
        paid, cancelled = play.buy(state="pending"), play.buy(state="pending")
        assert state(play.v2(paid)) == "PENDING" and play.order(paid)["state"] == "PENDING"
        play.change(paid, "pay")
        play.change(cancelled, "cancel")
        return (
            state(play.v2(paid)) == "PURCHASED" and state(play.v2(cancelled)) == "CANCELLED"
            and play.order(paid)["state"] == "PROCESSED" and play.order(cancelled)["state"] == "CANCELED"
        )

    checks.attempt("a pending purchase is paid or cancelled", pending)

    def kinds():
        test, promo = play.buy(type="test"), play.buy(type="promo")
        play.acknowledge(test)
        several = play.buy(items=[{"product_id": "a"}, {"product_id": "b", "quantity": 2}])
        return (
            play.v2(test)["testPurchaseContext"]["fopType"] == "TEST" and play.v1(test)["purchaseType"] == 0
            and play.v1(promo)["purchaseType"] == 1 and play.order(promo)["total"]["units"] == "0"
            and len(play.v2(several)["productLineItem"]) == 2 and play.v1(several, "b")["quantity"] == 2
        )

    checks.attempt("tests, free purchases and several items", kinds)

    def unacknowledged():
        try:
            play.control("PUT", "/app", {"test_acknowledge_within": 0})
            late = play.buy(type="test")
            assert state(play.v2(late)) == "CANCELLED"
            void = play.voided()["voidedPurchases"][-1]
            return void["orderId"] == late["order_id"] and void["voidedReason"] == 8
        finally:
            play.control("PUT", "/app", {"test_acknowledge_within": 300})

    checks.attempt("what nobody acknowledges is taken back", unacknowledged)
    check_refusals(play, checks)


def check_refusals(play, checks):
    bought, gone, busy = play.buy(), play.buy(), play.buy(busy_calls=1)
    waiting = play.buy(state="pending")
    play.change(gone, "forget")
    unknown = {"purchase_token": "unknown", "order_id": "GPA.0000-0000-0000-00000"}
    cases = [
        ("an unknown token", lambda: play.v2(unknown), (404, "purchaseTokenNotFound")),
        ("a forgotten token", lambda: play.v2(gone), (410, "purchaseTokenNoLongerValid")),
        ("another product", lambda: play.v1(bought, "x"), (400, "purchaseTokenDoesNotMatchProductId")),
        ("a concurrent change", lambda: play.consume(busy), (409, "concurrentUpdate")),
        ("a pending purchase", lambda: play.consume(waiting), (400, "productNotOwnedByUser")),
        ("an unknown order", lambda: play.order(unknown), (404, "orderNotFound")),
    ]
    for name, call, expected in cases:
        found = refusal(call)
        checks.expect(f"{name} is refused", found == expected, f"{found!r} in place of {expected!r}")
    try:
        play.control("PUT", "/app", {"is_permitted": False})
        found = refusal(lambda: play.v2(bought))
        checks.expect("a missing permission is refused", found == (401, "permissionDenied"), repr(found))
    finally:
        play.control("PUT", "/app", {"is_permitted": True})
    play.control("DELETE", "/tokens")
    checks.attempt("the client gets a new token for a revoked one", lambda: state(play.v2(bought)) == "PURCHASED")
    other = play.connect({**play.app["service_account"], "client_email": "other@example.com"})

    def stranger():
        try:
            other.orders().get(orderId=bought["order_id"], **play.package).execute()
        except google.auth.exceptions.RefreshError as error:
            return "invalid_grant" in str(error)
        return False

    checks.attempt("another service account gets no token", stranger)


def check_orders(stores, checks):
    play = Play(stores)

    def money():
        order = play.order(play.buy(quantity=2, price=2.98, currency="USD", tax=0.27))
        return (
            order["total"] == {"currencyCode": "USD", "units": "2", "nanos": 980000000}
            and order["lineItems"][0]["listingPrice"] == {"currencyCode": "USD", "units": "1", "nanos": 490000000}
            and order["state"] == "PROCESSED"
        )

    checks.attempt("an order has the amounts", money)

    def batch():
        ids = [play.buy()["order_id"] for _ in range(3)]
        request = play.orders.batchget(orderIds=ids, **play.package)
        found = [order["orderId"] for order in play.read("BatchGetOrdersResponse", request)["orders"]]
        unknown = refusal(play.orders.batchget(orderIds=[*ids, "GPA.0"], **play.package).execute)
        return found == ids and unknown == (404, "orderNotFound")

    checks.attempt("orders are read together", batch)

    def refunds():
        parts, amount, kept = play.buy(quantity=2), play.buy(), play.buy()
        play.change(parts, "refund", quantity=1)
        assert details(play.v2(parts))["refundableQuantity"] == 1
        assert play.order(parts)["state"] == "PARTIALLY_REFUNDED"
        play.change(amount, "refund", amount=400)
        history = play.order(amount)["orderHistory"]["partialRefundEvents"]
        assert history[0]["refundDetails"]["total"]["units"] == "400", history
        play.change(kept, "refund", revoke=False)
        assert state(play.v2(kept)) == "PURCHASED" and play.order(kept)["state"] == "REFUNDED"
        listed = [void["orderId"] for void in play.voided(includeQuantityBasedPartialRefund=True)["voidedPurchases"]]
        return parts["order_id"] in listed and not {amount["order_id"], kept["order_id"]} & set(listed)

    checks.attempt("refunds of parts, of amounts and without revoking", refunds)

    def refund():
        bought = play.buy()
        play.orders.refund(orderId=bought["order_id"], revoke=True, **play.package).execute()
        again = refusal(play.orders.refund(orderId=bought["order_id"], revoke=True, **play.package).execute)
        return play.order(bought)["state"] == "REFUNDED" and again[0] == 400

    checks.attempt("the shop refunds an order", refund)

    def review():
        bought = play.buy()
        token = play.change(bought, "ask_review")["reviews"][0]["pending_refund_token"]
        body = {
            "pendingRefundToken": token, "refundPreference": "DECLINE", "sampleContentProvided": False,
            "consumptionPercentageMilliunits": 45200,
            "consumptionUsageEvents": [{"consumptionTime": "2026-01-01T00:00:00Z"}],
        }
        assert not ANDROID_PUBLISHER.problems("OrdersReviewRefundRequest", body)
        play.orders.reviewrefund(orderId=bought["order_id"], body=body, **play.package).execute()
        kept = play.control("GET", "/purchases/" + bought["purchase_token"])["reviews"][0]["answers"]
        return kept[0]["body"] == body

    checks.attempt("a chargeback is reviewed", review)


def check_voided(stores, checks):
    play = Play(stores)

    def pages():
        ids = []
        for _ in range(5):
            bought = play.buy()
            play.change(bought, "refund", reason=7, source=0)
            ids.append(bought["order_id"])
        found, token = [], None
        while True:
            page = play.voided(maxResults=3, **({"token": token} if token else {}))
            found += [void["orderId"] for void in page["voidedPurchases"]]
            token = page.get("tokenPagination", {}).get("nextPageToken")
            if not token:
                return found[-5:] == ids

    checks.attempt("voided purchases come in pages", pages)
    old = refusal(lambda: play.voided(startTime=1600000000000))
    checks.expect("the list goes back thirty days", old == (400, "invalid"), repr(old))
    try:
        play.control("PUT", "/limits", {"per_half_minute": 0})
        found = refusal(play.voided)
        checks.expect("the quota", found == (429, "rateLimitExceeded"), repr(found))
    finally:
        play.control("PUT", "/limits", {})


def check_messages(stores, checks):
    play = Play(stores)
    certificates = [play.app["urls"]["certs"], play.app["urls"]["jwks"]]

    def accepts(headers, url):
        token = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            return id_token.verify_token(token, requests.Request(), audience=AUDIENCE, certs_url=url)
        except (google.auth.exceptions.GoogleAuthError, jwt.exceptions.PyJWTError, ValueError):
            return None

    with Receiver() as receiver:
        play.control("PUT", "/app", {"push_url": receiver.url, "push_audience": AUDIENCE})

        def told():
            headers, body = receiver.told.get(timeout=30)
            push = json.loads(body)
            message = {name: value for name, value in push["message"].items() if "_" not in name}
            problems = PUBSUB.problems("PubsubMessage", message)
            assert not problems and push["subscription"] == play.app["subscription"], (problems, push)
            return headers, json.loads(base64.b64decode(message["data"]))

        def purchase():
            bought = play.buy()
            headers, data = told()
            claims = accepts(headers, certificates[0])
            return (
                data["oneTimeProductNotification"]["purchaseToken"] == bought["purchase_token"]
                and data["packageName"] == play.app["package_name"] and claims["email"] == play.app["push_email"]
                and claims["email_verified"] is True and claims["iss"] == "https://accounts.google.com"
            )

        checks.attempt("a purchase is told", purchase)
        for defect, expected in DEFECTS.items():
            play.control("POST", "/messages", {"token": defect})
            headers, _ = told()
            for url in certificates:
                found = accepts(headers, url) is not None
                checks.expect(f"google-auth judges {defect} by {url}", found == expected, repr(found))
        play.control("POST", "/keys")
        play.control("POST", "/messages", {})
        headers, _ = told()
        checks.attempt("a new key is published", lambda: all(accepts(headers, url) for url in certificates))
