"""The gateway's answers, held against PortOne's OpenAPI documents."""

import json

from sandbox import V1_KEYS, V2_SECRET, quoted
from schemas import V1, V2


def check_v1(sandbox, checks):
    def hold(method, template, path, body=None, call=None):
        status, answer = (call or sandbox.v1)(method, path, body)
        problems = V1.problems(method, template, status, answer)
        if status == 200 and answer["code"] != 0:
            problems.append("refused: " + str(answer["message"]))
        checks.expect(f"V1 {method} {path}", not problems, "; ".join(problems))
        return answer.get("response")

    hold("POST", "/users/getToken", "/users/getToken", V1_KEYS, sandbox.send)
    hold("POST", "/users/getToken", "/users/getToken", {"imp_key": "x", "imp_secret": "y"}, sandbox.send)
    hold("GET", "/payments/{imp_uid}", "/payments/imp_0", call=sandbox.send)
    payments = [
        sandbox.pay(),
        sandbox.pay(status="failed", fail_reason="x"),
        sandbox.pay(status="ready", pay_method="vbank"),
        sandbox.pay(status="cancelled", cancel_amount=1),
        sandbox.pay(amount=14.2, currency="USD", pay_method="paypal", custom_data={"a": 1}, buyer_name="x"),
    ]
    for payment in payments:
        hold("GET", "/payments/{imp_uid}", "/payments/" + payment["imp_uid"])
    hold("GET", "/payments/{imp_uid}", "/payments/imp_0")
    hold("GET", "/payments/{imp_uid}/balance", f"/payments/{payments[0]['imp_uid']}/balance")
    hold("GET", "/payments", f"/payments?imp_uid[]={payments[0]['imp_uid']}&imp_uid[]={payments[1]['imp_uid']}")
    hold("GET", "/payments", f"/payments?imp_uid[]={payments[0]['imp_uid']}&imp_uid[]=imp_0")
    hold("GET", "/payments", "/payments?imp_uid[]=imp_0")
    order = payments[0]["merchant_uid"]
    for path in ("find", "findAll"):
        hold("GET", f"/payments/{path}/{{merchant_uid}}", f"/payments/{path}/{order}")
        hold("GET", f"/payments/{path}/{{merchant_uid}}/{{payment_status}}", f"/payments/{path}/{order}/paid")
        hold("GET", f"/payments/{path}/{{merchant_uid}}", f"/payments/{path}/none")
    for status in ("all", "ready", "paid", "cancelled", "failed"):
        hold("GET", "/payments/status/{payment_status}", "/payments/status/" + status + "?limit=1000")
    hold("GET", "/payments/status/{payment_status}", "/payments/status/odd")
    prepared = {"merchant_uid": sandbox.order(), "amount": 1000}
    hold("POST", "/payments/prepare", "/payments/prepare", prepared)
    hold("PUT", "/payments/prepare", "/payments/prepare", {**prepared, "amount": 2000, "currency": "KRW"})
    hold("PUT", "/payments/prepare", "/payments/prepare", {"merchant_uid": "none", "amount": 2000})
    hold("GET", "/payments/prepare/{merchant_uid}", "/payments/prepare/" + prepared["merchant_uid"])
    hold("POST", "/payments/cancel", "/payments/cancel", {"imp_uid": payments[0]["imp_uid"], "amount": 400})
    hold("POST", "/payments/cancel", "/payments/cancel", {"imp_uid": payments[0]["imp_uid"]})
    account = {
        "channel_key": "c", "merchant_uid": sandbox.order(), "amount": 1000, "vbank_code": "004",
        "vbank_due": 4000000000,
    }
    issued = hold("POST", "/vbanks", "/vbanks", account)
    hold("PUT", "/vbanks/{imp_uid}", "/vbanks/" + issued["imp_uid"], {"amount": 2000})
    hold("DELETE", "/vbanks/{imp_uid}", "/vbanks/" + issued["imp_uid"])
    hold("DELETE", "/vbanks/{imp_uid}", "/vbanks/" + issued["imp_uid"])


def check_v2(sandbox, checks):
    def hold(method, template, path, body=None, call=None, expected=None):
        status, answer = (call or sandbox.v2)(method, path, body)
        problems = V2.problems(method, template, status, answer)
        if "null" in json.dumps(answer):
            problems.append("a member is null")
        if expected and status != expected:
            problems.append(f"status {status} in place of {expected}")
        checks.expect(f"V2 {method} {path} {body or ''}", not problems, "; ".join(problems))
        return answer

    login = hold("POST", "/login/api-secret", "/login/api-secret", {"apiSecret": V2_SECRET}, sandbox.send, 200)
    hold("POST", "/login/api-secret", "/login/api-secret", {"apiSecret": "x"}, sandbox.send, 401)
    hold("POST", "/login/api-secret", "/login/api-secret", {}, sandbox.send, 400)
    refresh = {"refreshToken": login["refreshToken"]}
    hold("POST", "/token/refresh", "/token/refresh", refresh, sandbox.send, 200)
    hold("POST", "/token/refresh", "/token/refresh", refresh, sandbox.send, 401)

    one = "/payments/{paymentId}"
    states = [
        {}, {"version": "V1"}, {"sandbox": True}, {"status": "failed", "fail_reason": "x"}, {"status": "READY"},
        {"status": "PAY_PENDING", "pay_method": "paypal"}, {"status": "ready", "pay_method": "vbank"},
        {"status": "PARTIAL_CANCELLED", "cancel_amount": 1}, {"status": "CANCELLED"},
        {"amount": 14.2, "currency": "USD", "name": "x", "buyer_email": "a@b.c", "custom_data": {"a": 1}},
        {"pay_method": "kakaopay"}, {"pay_method": "trans"}, {"pay_method": "phone"}, {"pay_method": "culturegift"},
        {"pay_method": "point"},
    ]
    for state in states:
        payment = sandbox.pay_v2(**state)
        hold("GET", one, "/payments/" + quoted(payment["payment_id"]), expected=200)
        hold("GET", one + "/transactions", f"/payments/{payment['payment_id']}/transactions", expected=200)
    hold("GET", one, "/payments/none", expected=404)
    hold("GET", one, "/payments/none?storeId=store-x", expected=403)

    def cancel(payment, body, expected):
        path = f"/payments/{payment['payment_id']}/cancel"
        return hold("POST", one + "/cancel", path, body, expected=expected)

    payment = sandbox.pay_v2()
    cancel(payment, {"reason": "r", "amount": 400, "currentCancellableAmount": 1000}, 200)
    cancel(payment, {"reason": "r", "amount": 601}, 409)
    cancel(payment, {"reason": "r", "currentCancellableAmount": 1000}, 409)
    cancel(payment, {}, 400)
    cancel(payment, {"reason": "r"}, 200)
    cancel(payment, {"reason": "r"}, 409)
    cancel({"payment_id": "none"}, {"reason": "r"}, 404)
    cancel(sandbox.pay_v2(cancel_outcome="failed"), {"reason": "r"}, 200)
    cancel(sandbox.pay_v2(cancel_outcome="refused"), {"reason": "r"}, 502)
    waiting = sandbox.pay_v2(cancel_outcome="requested")
    requested = cancel(waiting, {"reason": "r"}, 200)["cancellation"]["id"]
    hold("GET", one, "/payments/" + waiting["payment_id"], expected=200)
    stop = one + "/cancellations/{cancellationId}/stop"
    path = f"/payments/{waiting['payment_id']}/cancellations/"
    hold("POST", stop, path + requested + "/stop", {}, expected=200)
    hold("POST", stop, path + requested + "/stop", {}, expected=409)
    hold("POST", stop, path + "none/stop", {}, expected=404)

    fresh = sandbox.order()
    hold("POST", one + "/pre-register", f"/payments/{fresh}/pre-register", {"totalAmount": 1000}, expected=200)
    paid = f"/payments/{payment['payment_id']}"
    hold("POST", one + "/pre-register", paid + "/pre-register", {}, expected=409)
    account = f"/payments/{sandbox.pay_v2(status='ready', pay_method='vbank')['payment_id']}/virtual-account/close"
    hold("POST", one + "/virtual-account/close", account, expected=200)
    hold("POST", one + "/virtual-account/close", account, expected=409)
    token = f"/payments/{sandbox.pay_v2(status='READY', payment_token='t')['payment_id']}/confirm"
    hold("POST", one + "/confirm", token, {"paymentToken": "x"}, expected=400)
    hold("POST", one + "/confirm", token, {"paymentToken": "t"}, expected=200)
    hold("POST", one + "/confirm", token, {"paymentToken": "t"}, expected=409)
    hold("POST", one + "/capture", f"/payments/{sandbox.pay_v2()['payment_id']}/capture", {}, expected=200)
    hold("POST", one + "/resend-webhook", paid + "/resend-webhook", {"webhookId": "none"}, expected=404)

    everything = quoted(json.dumps({"page": {"number": 0, "size": 1000}}))
    hold("GET", "/payments", "/payments?requestBody=" + everything, expected=200)
    hold("GET", "/payments", "/payments?requestBody=" + quoted('{"page":{"number":-1}}'), expected=400)
    for path in ("/payments-by-cursor", "/payment-events-by-cursor"):
        hold("GET", path, path + "?requestBody=" + quoted('{"size":1000}'), expected=200)
        hold("GET", path, path, {"cursor": "x"}, expected=400)
        hold("GET", path, path, {"storeId": "store-x"}, expected=403)
