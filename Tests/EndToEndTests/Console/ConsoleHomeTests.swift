import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The frame of the console's pages and its first page: navigation by role with what waits, the band of the
/// environment, old addresses, and the dashboard by role.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleHomeTests {
    @Test func `bare and old addresses lead to today's pages`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await console.buy()
            let browser = try await console.browser(as: "support-1")
            for path in ["/", "/console"] {
                let page = try await browser.open(path)
                #expect(browser.path == "/console" && page.text.contains("<h1>Home</h1>"), "\(page)")
            }
            try await browser.open("/console?q=nobody%26more")
            #expect(browser.path == "/console/search?q=nobody%26more" && browser.page.text.contains("nobody&amp;more"))
            try await browser.open("/console?q=ann")
            #expect(browser.path.hasPrefix("/console/customers/ann"))
            let notice = try await browser.open("/console?q=")
            #expect(browser.path == "/console?q=" && notice.text.contains("<h1>Home</h1>"))
            let docs = try await console.service.get("/")
            #expect(docs.status == 303 && docs.headers["Location"] == "/docs", "\(docs)")
        }
    }

    @Test func `each role sees its groups, with the numbers of what waits`() async throws {
        try await ConsoleHouse.open { console in
            let payment = try await console.gateway.pay("1234")
            #expect(try await console.service.present(payment).code == "amount_mismatch")
            try await console.house.books.execute(
                """
                INSERT INTO settlement_file (sha256, name, imported_by) VALUES (sha256('x'), 'x.csv', 'x');
                INSERT INTO settlement_row (file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status)
                SELECT 1, n, 'other-' || n, 100, 0, 0, 100, '2026-01-01', now(), 1, 'unmatched' FROM generate_series(2, 103) n;
                INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by)
                SELECT id, payment, 'x', 'x' FROM settlement_row LIMIT 1
                """)
            let texts = [
                "viewer": ["Today", "Customers", "To do", "Settings"],
                "support": ["Today", "Customers", "To do", "Settings"],
                "finance": ["Today", "Customers", "To do", "Books", "Settings"],
                "administrator": ["Today", "Customers", "To do", "Books", "Settings"],
            ]
            for (role, groups) in texts {
                let browser = try await console.browser(as: "\(role)-1")
                let page = try await browser.open("/console/findings/1")
                let shown = page.text.matches(of: #/<p id="group-[a-z]+">([^<]*)</p>/#).map { String($0.1) }
                #expect(shown == groups, "\(role)")
                #expect(Self.count("/console/findings", page) == "1", "\(role): \(page)")
                #expect(Self.count("/console/approvals", page) == nil)
                let lines = Self.count("/console/settlements#unmatched", page)
                #expect(lines == (groups.contains("Books") ? "99+" : nil), "\(role)")
                #expect(page.text.contains("href=\"/console/findings\" aria-current=\"true\""))
                #expect(
                    page.text.contains("href=\"/console/events\"") == ["viewer", "administrator"].contains(role),
                    "\(role)")
                // Each link leads somewhere.
                for link in page.text.matches(of: #/<li><a href="(/console[^"#]*)/#).map({ String($0.1) }) {
                    let answer = try await browser.open(link)
                    #expect(answer.status == 200, "\(role) at \(link)")
                    let isMarked = answer.text.contains("href=\"\(link)\" aria-current=\"page\"")
                    #expect(isMarked, "\(role) at \(link)")
                }
            }
        }
    }

    @Test func `a page is whole when what waits can't be counted, and a tile fails alone`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "administrator-1")
            try await console.house.books.execute("REVOKE SELECT ON settlement_row FROM ledgerd_service")
            let page = try await browser.open("/console/products")
            #expect(page.status == 200 && page.text.contains("coins_500"), "\(page)")
            #expect(!page.text.contains("class=\"badge\""))
            let home = try await browser.open("/console")
            #expect(home.status == 200 && home.text.contains("This part can&#39;t be shown now"), "\(home)")
            #expect(home.text.contains("Sales today") && home.text.contains("Nothing waits for you"))
            try await console.house.books.execute("GRANT SELECT ON settlement_row TO ledgerd_service")
            #expect(try await !browser.open("/console").text.contains("This part can&#39;t be shown now"))
        }
    }

    @Test func `a band and the titles name the environment, on every page but in production`() async throws {
        try await House.with { house in
            let environments: [([String: String], String?)] = [
                ([:], "Sandbox"), (["LEDGERD_ENVIRONMENT": "production"], nil),
            ]
            for (settings, name) in environments {
                let console = try await ConsoleHouse(in: house, settings)
                let browser = try await console.browser(as: "support-1")
                for path in ["/console", "/console/nothing", "/console/sign-in"] {
                    let page = try await browser.open(path)
                    #expect(page.text.contains("<p class=\"band\">") == (name != nil), "\(path): \(page)")
                    if let name {
                        #expect(page.text.contains("<strong>\(name)</strong>") && page.text.contains("No money moves"))
                        #expect(page.text.contains("<title>[\(name)] "), "\(path)")
                    } else {
                        #expect(!page.text.contains("<title>["), "\(path)")
                    }
                }
                let about = try await browser.open("/console/about")
                #expect(about.text.contains("\(name ?? "Production"). "), "\(about)")
            }
        }
    }

    @Test func `the first page shows each role what waits and how the business stands`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            let (_, purchase) = try await console.buy()
            let odd = try await console.gateway.pay("1234")
            #expect(try await console.service.present(odd).code == "amount_mismatch")
            let support = try await console.browser(as: "support-1")
            #expect(support.page.text.contains("The customers of your latest acts will be here"))
            let refund = "/console/customers/ann/refund/\(purchase)"
            try await support.open(refund)
            let answer = try await support.submit(refund, [("reason", "a slip")])
            #expect(answer.status == 200, "\(answer)")
            let home = try await support.open("/console")
            #expect(home.text.contains("<li><a href=\"/console/customers/ann\">ann</a></li>"), "\(home)")
            #expect(home.text.contains("href=\"/console/findings/1\">amount of no product, ₩1,234</a>"), "\(home)")
            #expect(!home.text.contains("Sales today") && !home.text.contains("Health"))

            let finance = try await console.browser(as: "finance-1")
            for text in [
                "Sales today", "₩5,000", "Owed to users for unused coins", "Findings by age", "Last reconciliation",
                "Not paid out yet, by age", "Before closing the last month", "Output VAT", "8–30 days",
            ] {
                #expect(finance.page.text.contains(text), "\(text): \(finance.page)")
            }
            #expect(!finance.page.text.contains("Health") && !finance.page.text.contains("can&#39;t be shown"))
            let administrator = try await console.browser(as: "administrator-1")
            for text in ["Sales today", "Payments in the last hour", "Health", "portone-v1", "in use"] {
                #expect(administrator.page.text.contains(text), "\(text)")
            }
            try await administrator.open("/console/language/ko")
            let korean = try await administrator.open("/console")
            for text in ["<h1>홈</h1>", ">할 일</p>", "오늘 매출", "이번 분기 부가세", "샌드박스"] {
                #expect(korean.text.contains(text), "\(text): \(korean)")
            }
        }
    }

    /// The number beside a link of the navigation.
    private static func count(_ path: String, _ page: Answer) -> String? {
        let link = page.text.components(separatedBy: "<li><a href=\"\(path)\"").dropFirst().first
        let end = link?.components(separatedBy: "</li>").first ?? ""
        return end.firstMatch(of: #/<span class="badge">([^<]*)</#).map { String($0.1) }
    }
}
