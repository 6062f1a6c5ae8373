import Foundation
import PGVerifier
import TestSupport
import Testing

/// Support finds the customer who paid and got no coins.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleSearchTests {
    private static func path(_ text: String) -> String {
        "/console/search?q=" + Browser.encoded(text)
    }

    @Test func `a part of the id, an amount and a day lead to the customer or a list`() async throws {
        try await ConsoleHouse.open { console in
            let (payment, _) = try await console.buy("1000")
            for user in ["anna", "bob"] {
                let bought = try await console.gateway.pay("5000")
                #expect(try await console.service.present(bought, by: user).status == 201)
            }
            let days =
                "SELECT DISTINCT to_char(paid_at AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD') FROM purchase WHERE user_id = "
            let annsDay = try #require(try await console.house.books.texts(days + "'ann'").first)
            let bobsDay = try #require(try await console.house.books.texts(days + "'bob'").first)
            let browser = try await console.browser(as: "viewer-1")
            func open(_ text: String) async throws -> String {
                try await browser.open(Self.path(text))
                return browser.path
            }
            #expect(try await open("bo") == "/console/customers/bob", "the only one that begins so")
            #expect(try await open("ann") == "/console/customers/ann", "an exact name goes before beginnings")
            #expect(try await open("ann*").hasPrefix("/console/search?q="))
            for user in ["ann", "anna"] { #expect(browser.page.text.contains("/console/customers/\(user)\"")) }
            for text in ["₩1,000 \(annsDay)", "1000원 \(annsDay)", "1,000"] {
                #expect(try await open(text).hasPrefix("/console/customers/ann?purchase="), "\(text)")
            }
            // A plain number is an id first; of none it is an amount.
            #expect(try await open("1000").hasPrefix("/console/customers/ann?purchase="))
            #expect(try await open("5,000").hasPrefix("/console/search?q="))
            for user in ["anna", "bob"] { #expect(browser.page.text.contains("customers/\(user)?purchase=")) }
            #expect(!browser.page.text.contains(payment.impUID))
            try await browser.open(Self.path(bobsDay))
            #expect(browser.page.text.contains("customers/bob"))
            #expect(try await open("5,000 2020-01-01").hasPrefix("/console/search?q="))
            #expect(browser.page.text.contains("Nothing is found"))
        }
    }

    @Test func `a customer's page has the thresholds of coins that are the customer's own`() async throws {
        try await ConsoleHouse.open { console in
            func set(_ path: String, _ body: String) async throws {
                let set = try await console.service.send(
                    .put, path, as: Token.service(), headers: [("Content-Type", "application/json")], body: body)
                try #require(set.status == 200, "\(set)")
            }
            _ = try await console.buy("1000")
            try await set("/v1/balance-alerts", #"{"below": [7], "above": []}"#)
            let viewer = try await console.browser(as: "viewer-1")
            func page(_ language: String) async throws -> String {
                try await viewer.open("/console/customers/ann", headers: [("Accept-Language", language)]).text
            }
            #expect(try await !page("en").contains("Own thresholds"), "those of the ledger are not the customer's")
            try await set("/v1/users/ann/balance-alerts", #"{"below": [1500, 100], "above": []}"#)
            #expect(
                try await page("en").contains("Own thresholds of available coins. Below: 100 / 1,500; Above: –</p>"))
            #expect(try await page("ko").contains("사용 가능 코인 알림 기준. 미만: 100 / 1,500; 초과: –</p>"))
        }
    }

    @Test func `a payment without coins is found, and an unknown one is asked of the gateway`() async throws {
        try await ConsoleHouse.open { console in
            let payment = try await console.gateway.pay("5000")
            let support = try await console.browser(as: "support-1")
            let viewer = try await console.browser(as: "viewer-1")
            let empty = try await viewer.open(Self.path(payment.impUID))
            #expect(empty.text.contains("Nothing is found") && !empty.text.contains("Ask the gateway"), "\(empty)")
            try await support.open(Self.path(payment.impUID))
            #expect(support.page.text.contains("Ask the gateway about this id"), "\(support.page)")
            let asked = try await support.submit("/console/look-up", [("gateway", "portone-v1")])
            #expect(asked.status == 200 && asked.text.contains("nobody has claimed it"), "\(asked)")
            #expect(asked.text.contains("https://sandbox.invalid/receipt/\(payment.impUID)"))
            #expect(asked.text.contains("₩5,000") && asked.text.contains("/console/search?q=\(payment.impUID)"))
            #expect(
                try await console.house.books.texts("SELECT act || target FROM audit WHERE act = 'look-up'")
                    == ["look-uppayment:\(payment.impUID)"])
            // It is a finding now, and the only thing of that name.
            for name in [payment.impUID, payment.merchantUID] {
                try await support.open(Self.path(name))
                #expect(support.path == "/console/findings/1", "\(support.page)")
            }

            // A refused receipt of somebody is listed beside it, with the reason in words.
            try await console.house.books.execute(
                """
                INSERT INTO receipt_retry (
                    user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at, decided_at)
                VALUES ('eve', 'portone-v1', '\(payment.impUID)', '\(payment.merchantUID)', 'refused', 'amount_mismatch',
                    now(), now())
                """)
            try await support.open(Self.path(payment.impUID))
            #expect(support.path.hasPrefix("/console/search?q="), "\(support.path)")
            for text in ["/console/findings/1", "customers/eve#receipt-", "the amount is not the price"] {
                #expect(support.page.text.contains(text), "\(text): \(support.page)")
            }
            #expect(try await support.open("/console/customers/eve").text.contains("the amount is not the price"))
        }
    }

    @Test func `the order id in Apple's mail leads to its purchases, credited or not`() async throws {
        try await House.with { house in
            let store = try await house.startAppStore()
            let console = try await ConsoleHouse(in: house, store.settings)
            let order = "MW0RDER001"
            let credited = try await store.buy(#", "order_id": "\#(order)""#)
            let unclaimed = try await store.buy(#", "order_id": "\#(order)""#)
            try await console.service.sellCoins(at: "app-store")
            let receipt = try await console.service.post("/v1/receipts", credited.receipt, as: Token.user("ann"))
            #expect(receipt.status == 201, "\(receipt)")

            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await !viewer.open(Self.path(order)).text.contains("Ask the gateway"))
            let support = try await console.browser(as: "support-1")
            try await support.open(Self.path(order))
            #expect(support.page.text.contains(#"<option value="app-store" selected>"#), "\(support.page)")
            let page = try await support.submit("/console/look-up")
            #expect(page.status == 200 && page.text.contains("The books agree with the gateway"), "\(page)")
            #expect(page.text.contains("nobody has claimed it"))
            #expect(page.text.contains("/console/customers/ann?purchase="), "the customer of the credited one")
            for bought in [credited, unclaimed] {
                #expect(page.text.contains("/console/search?q=\(bought.id)"), "\(bought.id)")
            }
            let audit = """
                SELECT target || ' ' || (detail ->> 'review') || ' ' || (detail ->> 'payments')
                FROM audit JOIN audit_outcome ON audit_id = audit.id WHERE act = 'look-up'
                """
            #expect(
                try await house.books.texts(audit)
                    == ["payment:\(order) unclaimed \(credited.id), \(unclaimed.id)"])

            // The unclaimed one is a finding now; an order that Apple does not know is none.
            try await support.open(Self.path(unclaimed.id))
            #expect(support.path == "/console/findings/1", "\(support.page)")
            try await support.open(Self.path("MW0RDER002"))
            let unknown = try await support.submit("/console/look-up")
            #expect(unknown.text.contains("The gateway does not know the payment"), "\(unknown)")
            try await house.expectSound()
        }
    }

    @Test func `a customer's page begins with what is wrong, and marks a likely double`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await console.buy()
            let support = try await console.browser(as: "support-1")
            let calm = try await support.open("/console/customers/ann")
            #expect(calm.status == 200 && calm.text.contains("Nothing is open") && !calm.text.contains("paid twice"))
            #expect(calm.text.contains("500 Coin"), "the product's title")
            _ = try await console.buy()
            #expect(try await support.open("/console/customers/ann").text.contains("probably paid twice"))

            let finding = try await console.claim()
            let over = try await console.service.get("/v1/findings?status=resolved", as: Token.finance()).json[
                "findings"]
            try await support.open(Self.path(try #require(over.elements.first?["imp_uid"].text)))
            #expect(support.path.hasPrefix("/console/customers/ann?purchase="), "its finding is over: \(support.path)")
            let page = try await finding.open("/console/customers/ann")
            #expect(page.status == 200, "\(page)")
            try await console.house.books.execute(
                "UPDATE finding SET user_id = 'ann', resolved_at = NULL, kinds = ARRAY['payment_disputed']")
            let wrong = try await support.open("/console/customers/ann").text
            let trouble = try #require(wrong.range(of: "/console/findings/1"))
            let balance = try #require(wrong.range(of: "Available"))
            #expect(trouble.lowerBound < balance.lowerBound && !wrong.contains("Nothing is open"))
        }
    }

    @Test func `a user of whom there is no record is not found, and can be searched and asked for`() async throws {
        try await ConsoleHouse.open { console in
            let support = try await console.browser(as: "support-1")
            let page = try await support.open("/console/customers/nobody")
            #expect(page.status == 404 && page.text.contains("No record of this customer"), "\(page)")
            #expect(page.text.contains("Ask the gateway about this id") && page.text.contains("value=\"nobody\""))
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await !viewer.open("/console/customers/nobody").text.contains("Ask the gateway"))
        }
    }

    @Test func `findings are filtered by what is known of them, in both orders, over HTTP too`() async throws {
        try await ConsoleHouse.open { console in
            for _ in 1...2 {
                let payment = try await console.gateway.pay("5000")
                #expect(try await console.service.tellV1(Hooks.v1(payment, "paid")).status == 200)
            }
            try await eventually("they are found") { try await console.service.findings().count == 2 }
            let newest = try await console.service.get("/v1/findings?sort=newest", as: Token.finance()).json["findings"]
                .elements.compactMap { $0["id"].integer }
            #expect(newest == [2, 1])
            let impUID = try #require(try await console.service.findings().first?["imp_uid"].text)
            #expect(try await console.service.get("/v1/findings?sort=size", as: Token.finance()).status == 400)

            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/findings/1")
            try await finance.submit("/console/findings/1/take")
            let name = try #require(try await console.service.findings().first?["assignee"].text)
            let encoded = Browser.encoded(name)
            #expect(
                try await console.service.get("/v1/findings?person=\(encoded)", as: Token.finance()).json["findings"]
                    .elements.compactMap { $0["id"].integer } == [1])
            for (query, found) in [
                ("", [1, 2]), ("?sort=newest", [2, 1]), ("?payment=\(impUID)", [1]), ("?person=\(encoded)", [1]),
                ("?user=nobody", []), ("?age=7", []), ("?kind=paid_unclaimed&status=open&whose=nobody", [2]),
            ] {
                let page = try await finance.open("/console/findings\(query)")
                let shown = page.text.matches(of: #/href="/console/findings/(\d+)"/#).compactMap { Int(String($0.1)) }
                #expect(page.status == 200 && shown == found, "\(query): \(page)")
            }
            #expect(finance.page.text.contains("<code class=\"id\">"))
            #expect(try await finance.open("/console/findings?user=%00").status == 400)
        }
    }
}
