import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct CheckoutTests {
    private static let order = "merchant_uid=order-1&amount=1000&name=100+coins"
    private static let shop = "&redirect_url=" + PercentEncoding.encode("https://shop.example/done?a=b#top")

    @Test func `a window shows what is to be paid, and asks nothing of anybody else`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let page = try await sandbox.send(.get, "/checkout?" + Self.order)
            #expect(page.status == 200 && page.contentType == "text/html; charset=utf-8")
            for part in ["100 coins", "KRW 1000", #"name="merchant_uid" value="order-1""#, #"value="vbank""#] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains("<script") && !page.text.contains("http"))
        }
    }

    @Test(arguments: [
        ("pay", "card", "imp_success=true#top"), ("pay", "vbank", "imp_success=true#top"),
        ("fail", "card", "imp_success=false&error_code=F0001&error_msg="),
        ("cancel", "card", "imp_success=false&error_code=F0001&error_msg="),
    ])
    func `a buyer is sent back to the shop with V1's answer`(outcome: String, method: String, end: String) async throws
    {
        try await SandboxUnderTest.run { sandbox in
            let done = try await sandbox.send(
                .post, "/checkout", form: Self.order + Self.shop + "&outcome=\(outcome)&pay_method=\(method)")
            #expect(done.status == 303)
            #expect(done.location.hasPrefix("https://shop.example/done?a=b&imp_uid=imp_"))
            #expect(done.location.contains("&merchant_uid=order-1&" + end) && done.location.hasSuffix("#top"))
            let payment = try await sandbox.call(.get, "/payments/find/order-1")["response"]
            let expected = outcome != "pay" ? "failed" : method == "vbank" ? "ready" : "paid"
            #expect(payment["status"] == .string(expected) && payment["amount"] == .int(1000))
        }
    }

    @Test func `V2's shop sends its own names and gets its own answer`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let order = "paymentId=p-1&totalAmount=150&currency=USD&orderName=x" + Self.shop
            let paid = try await sandbox.send(.post, "/checkout", form: order + "&outcome=pay")
            #expect(paid.location.contains("transactionType=PAYMENT&paymentId=p-1&txId="))
            #expect(!paid.location.contains("code="))
            let payment = try await sandbox.callV2(.get, "/payments/p-1")
            #expect(payment["amount"]["total"] == .int(150) && payment["orderName"] == .string("x"))
            let failed = try await sandbox.send(
                .post, "/checkout", form: "paymentId=p-2&totalAmount=1&outcome=cancel" + Self.shop)
            #expect(failed.location.contains("&code=FAILURE_TYPE_PG&message="))
        }
    }

    @Test func `what V2's window sends back is the order that it was opened with`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let order = "paymentId=p-1&totalAmount=1420&currency=USD&orderName=x" + Self.shop
            let page = try await sandbox.send(.get, "/checkout?" + order)
            #expect(page.text.contains("USD 14.2") && page.text.contains("V2"))
            let hidden = page.text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
            let form = hidden.map { field in
                String(field.1) + "=" + PercentEncoding.encode(String(field.2).replacing("&amp;", with: "&"))
            }
            let paid = try await sandbox.send(
                .post, "/checkout", form: form.joined(separator: "&") + "&pay_method=card&outcome=pay")
            #expect(paid.location.contains("transactionType=PAYMENT&paymentId=p-1&txId="))
            let payment = try await sandbox.callV2(.get, "/payments/p-1")
            #expect(payment["amount"]["total"] == .int(1420) && payment["currency"] == .string("USD"))
            #expect(payment["version"] == .string("V2"))
        }
    }

    @Test func `a window doesn't open for another amount than the registered one, nor for a paid order`() async throws {
        try await SandboxUnderTest.run { sandbox in
            _ = try await sandbox.call(
                .post, "/payments/prepare", json: #"{"merchant_uid": "order-1", "amount": 2000}"#)
            let other = try await sandbox.send(.get, "/checkout?" + Self.order + Self.shop)
            #expect(other.status == 409 && other.text.contains("Back to the shop"))
            #expect(try await sandbox.send(.post, "/checkout", form: Self.order + "&outcome=pay").status == 409)
            _ = try await sandbox.pay(merchantUID: "order-2")
            let paid = try await sandbox.send(.get, "/checkout?merchant_uid=order-2&amount=1000")
            #expect(paid.status == 409 && !paid.text.contains("<form"))
        }
    }

    @Test func `an order is paid in the API that registered it, unless the shop says otherwise`() async throws {
        try await SandboxUnderTest.run { sandbox in
            for order in ["order-1", "order-2"] {
                let register = "/payments/\(order)/pre-register"
                #expect(try await sandbox.callV2(.post, register, json: #"{"totalAmount": 1000}"#).status == 200)
            }
            let v2 = try await sandbox.send(.post, "/checkout", form: Self.order + Self.shop + "&outcome=pay")
            #expect(v2.location.contains("paymentId=order-1&txId="))
            #expect(try await sandbox.callV2(.get, "/payments/order-1")["version"] == .string("V2"))
            #expect(try await sandbox.call(.get, "/payments/find/order-1").status == 404)
            let fields = "merchant_uid=order-2&amount=1000&version=V1" + Self.shop
            #expect(
                try await sandbox.send(.post, "/checkout", form: fields + "&outcome=pay").location.contains("imp_uid"))
            #expect(try await sandbox.call(.get, "/payments/find/order-2").status == 200)

            _ = try await sandbox.call(
                .post, "/payments/prepare", json: #"{"merchant_uid": "order-3", "amount": 150}"#)
            let order = "paymentId=order-3&totalAmount=150" + Self.shop
            let page = try await sandbox.send(.get, "/checkout?" + order)
            #expect(page.text.contains("order-3, V1"))
            let v1 = try await sandbox.send(.post, "/checkout", form: order + "&outcome=pay")
            #expect(v1.location.contains("merchant_uid=order-3&imp_success=true"))
            #expect(try await sandbox.call(.get, "/payments/find/order-3").status == 200)
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "//shop.example/", "ftp://shop.example/", "https:///x", "https://a/\r\nX: y", "x",
        "data:text/html,x", "http://",
    ])
    func `a shop's URL that isn't one is refused`(url: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let redirect = "&redirect_url=" + PercentEncoding.encode(url)
            #expect(try await sandbox.send(.get, "/checkout?" + Self.order + redirect).status == 400)
            let decided = try await sandbox.send(.post, "/checkout", form: Self.order + redirect + "&outcome=pay")
            #expect(decided.status == 400)
            #expect(try await sandbox.call(.get, "/payments/find/order-1").status == 404)
        }
    }

    @Test func `what a shop sends is text, never markup`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let evil = PercentEncoding.encode(#""><script>alert('x')</script>"#)
            let page = try await sandbox.send(.get, "/checkout?amount=1&merchant_uid=\(evil)&name=\(evil)&x\(evil)=1")
            #expect(page.status == 200 && !page.text.contains("<script"))
            _ = try await sandbox.send(.post, "/checkout", form: "amount=1&merchant_uid=\(evil)&outcome=pay")
            let list = try await sandbox.send(.get, "/")
            #expect(list.text.contains("alert(") && !list.text.contains("<script"))
            let refused = try await sandbox.send(.get, "/checkout?amount=1&merchant_uid=o&currency=\(evil)")
            #expect(refused.status == 400 && !refused.text.contains("<script"))
        }
    }

    @Test func `the console pays a waiting account, and cancels`() async throws {
        try await SandboxUnderTest.run { sandbox in
            #expect(try await sandbox.send(.get, "/").text.contains("No payments yet"))
            let payment = try await sandbox.pay(#""amount": 1000, "status": "ready", "pay_method": "vbank""#)
            let page = try await sandbox.send(.get, "/").text
            #expect(page.contains("action=\"/console/payments/\(payment)\"") && page.contains("Deposit order-1"))
            #expect(page.contains("\(payment), V1<"))
            for (act, status) in [("paid", "paid"), ("cancelled", "cancelled")] {
                let done = try await sandbox.send(.post, "/console/payments/\(payment)", form: "act=" + act)
                #expect(done.status == 303 && done.location == "/")
                let now = try await sandbox.call(.get, "/payments/\(payment)")["response"]["status"]
                #expect(now == .string(status))
            }
            #expect(try await sandbox.send(.post, "/console/payments/imp_0", form: "act=paid").status == 404)
        }
    }
}
