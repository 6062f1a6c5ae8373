import Foundation
import TestSupport
import Testing

/// What finance does in the console, and what is kept of it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleFinanceTests {
    @Test func `a finding is taken, noted and resolved, and each act is recorded with who and why`() async throws {
        try await ConsoleHouse.open { console in
            let payment = try await console.gateway.pay("1234")
            #expect(try await console.service.present(payment).code == "amount_mismatch")
            let browser = try await console.browser(as: "finance-1")
            let list = try await browser.open("/console/findings")
            #expect(list.text.contains(payment.merchantUID) && list.text.contains("amount of no product"), "\(list)")
            let path = "/console/findings/1"
            let page = try await browser.open(path)
            let reason = "no product had that price then; the prices then were 1000, 5000 KRW"
            #expect(page.text.contains("1234 KRW was paid at ") && page.text.contains(reason), "\(page)")
            let taken = try await browser.submit("\(path)/take")
            #expect(taken.text.contains("It is recorded who works on it") && taken.text.contains("Fin Cho"), "\(taken)")
            let noted = try await browser.submit("\(path)/note", [("reason", "<script>alert(1)</script>")])
            #expect(noted.text.contains("&lt;script&gt;") && !noted.text.contains("<script>alert"), "\(noted)")
            let refused = try await browser.submit("\(path)/claim", [("user", "ann"), ("reason", "hers")])
            #expect(refused.status == 422 && refused.text.contains(reason), "\(refused)")
            try await browser.open(path)
            let resolved = try await browser.submit("\(path)/resolve", [("reason", "cancelled")])
            #expect(resolved.text.contains("The finding is resolved"), "\(resolved)")
            #expect(try await !browser.open("/console/findings").text.contains(payment.merchantUID))
            let records = """
                SELECT concat_ws('|', act, target, reason, audit_outcome.outcome) FROM audit
                JOIN audit_outcome ON audit_id = audit.id WHERE target = 'finding:1' ORDER BY audit.id
                """
            #expect(
                try await console.house.books.texts(records) == [
                    "assign-finding|finding:1||done", "note-finding|finding:1|<script>alert(1)</script>|done",
                    "claim-finding|finding:1|hers|refused", "resolve-finding|finding:1|cancelled|done",
                ])
            let viewer = try await console.browser(as: "viewer-1")
            let read = try await viewer.open(path)
            #expect(read.status == 200 && !read.text.contains("<form class=\"act\""), "\(read)")
        }
    }

    @Test func `a period is compared, looked at, and then its differences are fixed`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            let payment = try await console.gateway.pay("5000")
            #expect(try await console.service.present(payment).status == 201)
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/reconciliations")
            let days = [Noon.day(), Noon.day(1)]
            let begun = try await browser.submit("/console/reconciliations", [("from", days[0]), ("last", days[0])])
            #expect(begun.text.contains("The comparison has begun"), "\(begun)")
            try await eventually("it is compared") {
                try await browser.open("/console/reconciliations/1?kind=matched").text.contains("completed")
            }
            #expect(browser.page.text.contains(payment.impUID) && browser.page.text.contains("₩5,000"))
            let backwards = try await browser.open("/console/reconciliations")
            #expect(backwards.status == 200)
            let refused = try await browser.submit("/console/reconciliations", [("from", days[1]), ("last", days[0])])
            #expect(refused.status == 400, "\(refused)")
        }
    }

    @Test func `finance follows the figures down to a journal entry`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            #expect(try await console.service.present(try await console.gateway.pay("5000")).status == 201)
            let browser = try await console.browser(as: "finance-1")
            let page = try await browser.open("/console/finance")
            #expect(page.text.contains("coins_500") && page.text.contains("<svg") && page.text.contains("₩5,000"))
            let ledger = try await browser.open("/console/ledger")
            #expect(
                ledger.text.firstMatch(of: #/accounts\?account=gateway(?::|%3A)receivable&amp;from=/#) != nil,
                "\(ledger)")
            let account = try await browser.open("/console/accounts?account=gateway:receivable")
            #expect(
                account.text.contains("<h1>Due from payment gateways</h1>") && !account.text.contains("receivable/"))
            let entry = try #require(account.text.firstMatch(of: #/href="(/console/entries/\d+)"/#)?.1)
            let lines = try await browser.open(String(entry))
            #expect(lines.text.contains("wallet:ann:paid") && lines.text.contains("coins:deferred-revenue"), "\(lines)")
            #expect(lines.text.contains("Deferred revenue of unused coins") && lines.text.contains("customers/ann"))
            #expect(!lines.text.contains("deferred-revenue/"), "\(lines)")
            #expect(try await browser.open("/console/accounts?account=nothing").status == 404)
            #expect(try await browser.open("/console/finance?days=365").status == 200)
            let dates = try await browser.open("/console/finance?from=2026-01-01&to=2026-02-01")
            #expect(dates.status == 200 && dates.text.contains("2026-01-31") && dates.text.contains("class=\"before\""))
            for wrong in ["from=soon", "from=2026-02-01&to=2026-01-01", "from=2000-01-01&to=2026-01-01"] {
                #expect(try await browser.open("/console/finance?\(wrong)").status == 400, "\(wrong)")
            }
            let live = try await browser.open("/console/live")
            #expect(live.headers["Refresh"] == "10" && live.text.contains("portone-v1"), "\(live)")
            #expect(try await browser.open("/console/live?refresh=no").headers["Refresh"] == nil)
            for path in ["refunds", "receipts", "settlements", "products"] {
                #expect(try await browser.open("/console/\(path)").status == 200, "\(path)")
            }
        }
    }

    @Test func `an administrator puts a product on sale, changes it and ends its sale`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "administrator-1")
            try await browser.open("/console/products")
            let new = [
                ("code", "try_1"), ("title", "Try <b>it</b>"), ("price", "77,777"), ("coins", "70"), ("bonus", "0"),
            ]
            let added = try await browser.submit("/console/products/add", new)
            #expect(added.text.contains("Try &lt;b&gt;it&lt;/b&gt;") && added.text.contains("₩77,777"), "\(added)")
            let taken = try await browser.submit("/console/products/add", new)
            #expect(taken.status == 400 || taken.status == 422, "\(taken)")
            try await browser.open("/console/products")
            let changed = try await browser.submit(
                "/console/products/change", new + [("coin_days", "365"), ("bonus_coin_days", "0")])
            #expect(changed.text.contains("365 days") && changed.text.contains("never expire"), "\(changed)")
            let endless = try await browser.submit("/console/products/change", new + [("coin_days", "36501")])
            #expect(endless.status == 400 || endless.status == 422, "\(endless)")
            try await browser.open("/console/products")
            let ended = try await browser.submit("/console/products/retire", [("code", "try_1")])
            #expect(ended.text.contains("The sale has ended") && !ended.text.contains("try_1"), "\(ended)")
            let later = [
                ("code", "try_2"), ("title", "<i>Later</i>"), ("price", "88,888"), ("coins", "80"), ("bonus", "0"),
            ]
            let times = [("from", "2099-01-01T09:00"), ("until", "2099-02-01T09:00")]
            let planned = try await browser.submit("/console/products/add", later + times)
            #expect(planned.text.contains("The sale is planned") && planned.text.contains("1 Jan 2099, 09:00:00 KST"))
            #expect(planned.text.contains("&lt;i&gt;Later") && !planned.text.contains("<i>Later"), "\(planned)")
            #expect(try await !console.service.get("/v1/products").text.contains("try_2"))
            let withdrawn = try await browser.submit("/console/products/withdraw", [("code", "try_2")])
            #expect(withdrawn.text.contains("The planned sale is withdrawn") && !withdrawn.text.contains("try_2"))
            let past = try await browser.submit("/console/products/add", later + [("from", "2020-01-01T00:00")])
            #expect(past.status == 400 || past.status == 422, "\(past)")
            let finance = try await console.browser(as: "finance-1")
            #expect(try await !finance.open("/console/products").text.contains("/console/products/add"))
        }
    }
}
