"""What stores sell and tell, as the simulated stores beside the service sign it; see answers.py."""

import datetime
import json
import os
import pathlib
import sys
import time
import uuid

import requests

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from sandbox import Receiver  # noqa: E402  its folder is known now

APP = "com.example.coins"


def control(method, path, body=None):
    """Sends to the stores' own controls."""
    url = f"http://127.0.0.1:{os.environ['LEDGERD_TEST_STORES_PORT']}/sandbox{path}"
    answer = requests.request(method, url, json=body, timeout=30)
    assert answer.ok, answer.text
    return answer.json()


def buy(store, **members):
    """Nobody but the app tells of it."""
    return control("POST", f"/{store}/purchases", {"product_id": "c100", "notify": False, **members})


def stores(service):
    """What products of stores are of ours, what an app passes with purchases there, and what becomes of them."""
    product = service.call("get", "/v1/products", 200)["products"][0]["code"]
    for store in ("app-store", "google-play"):
        path = f"/v1/store-products/{store}/{APP}/c100"
        service.call("put", path, 200, "finance", {"product": product})
        service.call("put", path, 422, "finance", {"product": "another"})
        service.call("put", path, 400, "finance", {})
        service.call("put", path, 403, "service", {"product": product})
    service.call("get", "/v1/store-products", 200, "finance")
    account = service.call("get", "/v1/me/store-account", 200, "user")
    app_store(service, account["app_account_token"])
    google_play(service, account["obfuscated_account_id"])


def present(service, expected, receipt):
    return service.call("post", "/v1/receipts", expected, "user", receipt)


def app_store(service, account):
    def signed(**members):
        return {"app_store": {"signed_transaction": buy("apple", **members)["signed_transaction"]}}
    bought = buy("apple", app_account_token=account, quantity=3, price=3_600_000)
    receipt = {"app_store": {"signed_transaction": bought["signed_transaction"]}}
    purchase = present(service, 201, receipt)["purchase"]
    present(service, 200, receipt)
    bare = {"app_store": {"transaction_id": bought["transaction_id"]}}
    present(service, 400, bare)
    service.call("post", "/v1/users/demo-user/receipts", 200, "service", bare)
    service.call("post", "/v1/users/demo-friend/receipts", 409, "service", bare)
    present(service, 202, signed(product_id="unknown"))
    present(service, 422, signed(signing="tampered"))
    present(service, 422, signed(ownership="FAMILY_SHARED"))
    service.call("get", f"/v1/purchases/{purchase['id']}/refund-quote", 200, "service")
    service.act(f"/v1/purchases/{purchase['id']}/refunds", 409, {"reason": "Apple alone gives it back"})
    # A report of the month, which it may settle or not: Apple tells no transactions.
    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).date()
    first, last = (f"{day:%m/%d/%Y}" for day in (today - datetime.timedelta(20), today))
    report = (
        "Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tPartner Share Currency\t"
        f"Sales or Return\tCustomer Currency\n{first}\t{last}\tc100\t3\t2520.5\tKRW\tS\tKRW\n")
    pay_out(service, "app-store", today, report)
    questions(service, purchase["id"], bought["transaction_id"])
    control("PATCH", f"/apple/purchases/{bought['transaction_id']}", {"act": "refund", "notify": False})

    def notify(expected, body):
        service.call("post", "/webhooks/app-store", expected, None, body)
    tested = {
        "notificationType": "TEST", "notificationUUID": str(uuid.uuid4()), "version": "2.0",
        "signedDate": int(time.time() * 1000),
        "data": {"bundleId": APP, "appAppleId": control("GET", "/apple")["app_apple_id"], "environment": "Production"}}
    for payload in (tested, {**tested, "notificationUUID": str(uuid.uuid4()), "notificationType": "REFUND", "data": {
            **tested["data"], "signedTransactionInfo": control(
                "GET", f"/apple/purchases/{bought['transaction_id']}")["signed_transaction"]}}):
        message = {"signedPayload": control("POST", "/apple/jws", {"payload": payload})["jws"]}
        notify(200, message)
        notify(200, message)
    notify(401, {"signedPayload": control("POST", "/apple/jws", {"payload": tested, "signing": "tampered"})["jws"]})
    notify(400, {"signedPayload": "x"})
    path = f"/v1/purchases/{purchase['id']}"
    service.wait_for(path, "support", "refunded_amount", "the claw-back of what the App Store refunded")


def questions(service, purchase, transaction):
    """What the App Store asks about a purchase, which a person answers in place of the rule."""
    consent = "/v1/users/demo-user/store-consent"
    service.call("get", consent, 404, "service")
    service.call("put", consent, 200, "service", {"consents": True})
    service.call("put", consent, 400, "service", {"consents": "yes"})
    service.call("put", consent, 403, "user", {"consents": True})
    service.call("get", consent, 200, "service")
    control("PATCH", f"/apple/purchases/{transaction}", {"act": "ask_consumption"})
    path = f"/v1/purchases/{purchase}/refund-questions"
    asked = service.wait_for(path, "support", "refund_questions", "the question of the App Store")
    service.call("get", path, 403, "finance")
    service.call("get", "/v1/purchases/999999999/refund-questions", 404, "support")
    choice, overrule = {"preference": "decline", "reason": "asks each month"}, f"/v1/refund-questions/{asked[0]['id']}/overrule"
    service.call("post", overrule, 400, "support", {**choice, "preference": "maybe"})
    service.call("post", overrule, 403, "service", choice)
    service.call("post", overrule, 200, "support", choice)
    service.call("post", "/v1/refund-questions/999999999/overrule", 404, "support", choice)


def google_play(service, account):
    def receipt(bought):
        return {"google_play": {"purchase_token": bought["purchase_token"]}}
    bought = buy("google", account_id=account, quantity=2, price=2400)
    purchase = present(service, 201, receipt(bought))["purchase"]
    present(service, 200, receipt(bought))
    present(service, 404, {"google_play": {"purchase_token": "nobody.AO-1"}})
    present(service, 400, {"google_play": {}})
    present(service, 202, receipt(buy("google", account_id=account, state="pending")))
    present(service, 422, receipt(buy("google", account_id=account, type="test")))
    service.call("post", "/v1/users/demo-friend/receipts", 409, "service", receipt(bought))
    refunds = f"/v1/purchases/{purchase['id']}/refunds"
    service.act(refunds, 422, {"coins": 1, "reason": "Google gives back all or nothing"})
    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).date()
    earnings = (
        "Description,Transaction Date,Transaction Type,Buyer Currency,Merchant Currency,Amount (Merchant Currency)\n"
        f"{bought['order_id']},{today},Charge,KRW,KRW,2400\n{bought['order_id']},{today},Google fee,KRW,KRW,-360\n")
    pay_out(service, "google-play", today, earnings)
    service.act(refunds, (201, 422), {"reason": "changed his mind"})

    headers, body = pushed()
    head = {"Authorization": headers["authorization"]}
    for expected, changes in ((200, {}), (200, {}), (401, {"Authorization": "Bearer no"})):
        service.call("post", "/webhooks/google-play", expected, None, body, {**head, **changes})
    unreadable = {"subscription": json.loads(body)["subscription"], "message": {"data": "no base64"}}
    service.call("post", "/webhooks/google-play", 400, None, unreadable, head)


def pushed():
    """A test message of the Play Console as Pub/Sub pushes it: headers and body. The service's URL is put back."""
    app = control("GET", "/google")
    with Receiver() as shop:
        control("PUT", "/google/app", {"push_url": shop.url, "push_audience": app["push_audience"]})
        control("POST", "/google/messages", {})
        message = shop.told.get(timeout=30)
    control("PUT", "/google/app", {"push_url": app["push_url"]})
    return message


def pay_out(service, form, day, text):
    """A preview, the import, and the import again."""
    path, kind = f"/v1/settlements?format={form}&paid_out_on={day}", {"Content-Type": "text/csv"}
    service.call("post", path + "&dry_run=true", 200, "finance", text, kind)
    if service.call("post", path, 201, "finance", text, kind)["settled_now"] != 1:
        service.failures.append(f"a file of {form} does not settle its purchase")
    service.call("post", path, 200, "finance", text, kind)
    service.call("post", path, 422, "finance", "nothing\n", kind)
    service.call("post", f"/v1/settlements?format={form}", 400, "finance", text, kind)
