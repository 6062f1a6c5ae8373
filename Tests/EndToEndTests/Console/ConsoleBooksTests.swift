import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The pages of the books: reports, the ledger, and closing a month by clicks alone.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleBooksTests {
    @Test func `finance downloads each report of a period, and a report that a setting leaves empty says so`()
        async throws
    {
        try await ConsoleHouse.open { console in
            _ = try await console.buy()
            let browser = try await console.browser(as: "finance-1")
            let query = "from=2020-01-01&to=2100-01-01"
            let list = try await browser.open("/console/reports?\(query)")
            #expect(list.text.contains("Trial balance with totals") && list.text.contains("Settlements"), "\(list)")
            #expect(list.text.contains("set LEDGERD_VOUCHER_ACCOUNTS"), "\(list)")
            let files = list.text.matches(of: #/href="(/console/reports/[a-z-]+/file[^"]*)"/#).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            #expect(files.count > 20, "\(files)")
            for file in files {
                var answer = try await browser.open(file)
                // An export before it has not ended yet.
                while answer.status == 429 { answer = try await browser.open(file) }
                if ["/vat/", "/adjustments/", "/reconciliation/"].contains(where: { file.contains($0) }) {
                    #expect(answer.status == 404 && answer.text.contains("role=\"alert\""), "\(file): \(answer)")
                    continue
                }
                // Ten years of days at most.
                if file.contains("/prepaid/") { continue }
                #expect(answer.status == 200, "\(file): \(answer.status)")
                let name = answer.headers["Content-Disposition"] ?? ""
                #expect(name.contains(file.contains("csv") ? ".csv" : ".xlsx"), "\(file): \(name)")
            }
            let vat = try await browser.open("/console/reports/vat/file?\(query)")
            #expect(vat.text.contains("VAT is off (LEDGERD_VAT)"), "\(vat)")
            let balance = try await browser.open("/console/reports/trial-balance/file?\(query)&format=csv")
            #expect(balance.text.contains("gateway:receivable") && !balance.text.contains("receivable/"), "\(balance)")
            let korean = try await browser.open(
                "/console/reports/trial-balance/file?\(query)&format=csv", headers: [("Accept-Language", "ko")])
            #expect(korean.text.contains("계정과목,통화,차변,대변,계정 수"), "\(korean)")
            let sum = try await browser.open("/console/reports/trial-balance-totals/checksum?\(query)&format=csv")
            #expect(sum.text.firstMatch(of: #/>[0-9a-f]{64}</#) != nil && sum.text.contains("₩5,000"), "\(sum)")
            for (path, status) in [
                ("reports/nothing/file", 404), ("reports?period=2026-13", 400), ("reports?from=2026-01-01", 400),
                ("reports?from=2026-02-01&to=2026-01-01", 400), ("reports?period=2026-Q4", 200),
                ("reports?period=2026-Q5", 400), ("reports/liability/file?format=hledger", 400),
                ("reports?from=2026-02-01&last=2026-01-31", 400), ("reports?from=2026-01-31&last=2026-01-31", 200),
                ("reports?last=2026-01-31", 400), ("reports?from=2026-01-31&last=soon", 400),
            ] { #expect(try await browser.open("/console/\(path)").status == status, "\(path)") }
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/reports").status == 403)
        }
    }

    @Test func `the ledger has one line an account in both languages, and its debits are its credits`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await console.spendToReverse()
            let browser = try await console.browser(as: "finance-1")
            var page = try await browser.open("/console/ledger?from=2020-01-01&to=2100-01-01")
            try await eventually("the spend is in the sums") {
                page = try await browser.open("/console/ledger?from=2020-01-01&to=2100-01-01")
                return page.text.contains("Revenue of spent coins</a>")
                    && page.text.contains(">300</td>")
            }
            #expect(page.text.contains("Paid coins in wallets") && page.text.contains("Assets"), "\(page)")
            #expect(page.text.contains("status good") && !page.text.contains("status bad"), "\(page)")
            #expect(page.text.firstMatch(of: #/coins:[a-z-]+\/\d/#) == nil, "a stripe")
            // The ledger's days are not those of the list that it leads to, which says so.
            let account = try #require(page.text.firstMatch(of: #/href="(/console/accounts\?[^"]*)"/#)?.1)
            let path = String(account).replacing("&amp;", with: "&")
            let listed = try await browser.open(path)
            #expect(listed.status == 200 && listed.text.contains("The ledger counts an entry on the day"), "\(listed)")
            let alone = try await browser.open(path.replacing("view=ledger", with: ""))
            #expect(alone.status == 200 && !alone.text.contains("The ledger counts"), "\(alone)")
            let before = try await browser.open("/console/ledger?from=2020-01-01&to=2020-02-01")
            #expect(
                before.text.contains("Accounts with nothing on them:") && !before.text.contains("₩5,000"), "\(before)")
            let korean = try await browser.open("/console/ledger", headers: [("Accept-Language", "ko")])
            #expect(korean.text.contains("선수금(미사용 유료 코인)") && korean.text.contains("PG사 미수금"), "\(korean)")
            let postings = try await console.service.get("/v1/postings?account=gateway:receivable", as: Token.finance())
            #expect(postings.status == 200 && postings.json["balance"].integer == 5000, "\(postings)")
        }
    }

    @Test func `the last day that a person fills in belongs to the period, and that of a link does not`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            _ = try await console.buy()
            let browser = try await console.browser(as: "finance-1")
            let (today, tomorrow) = (Noon.day(), Noon.day(1))
            let account = "accounts?account=gateway:receivable&from=\(today)"
            for (path, end, text) in [
                (account, "before", "₩5,000</td>"), ("audit?from=\(today)", "to", "finance-1</span>"),
                ("audit/export?format=csv&from=\(today)", "to", "finance-1"),
            ] {
                let whole = try await browser.open("/console/\(path)&last=\(today)")
                #expect(whole.text.contains(text), "\(path): \(whole)")
                let link = try await browser.open("/console/\(path)&\(end)=\(tomorrow)")
                #expect(link.text.contains(text), "\(path): \(link)")
                if !path.contains("export") {
                    let field = "name=\"last\" type=\"date\" value=\"\(today)\""
                    #expect(whole.text.contains(field) && link.text.contains(field), "\(path): \(link)")
                }
            }
            let none = try await browser.open("/console/\(account)&before=\(today)")
            #expect(!none.text.contains("₩5,000</td>"), "\(none)")
            for path in ["ledger", "reports"] {
                let page = try await browser.open("/console/\(path)?from=2026-01-01&last=2026-01-31")
                #expect(page.text.contains("<h2>2026-01-01 – 2026-01-31</h2>"), "\(page)")
                #expect(page.text.contains("required value=\"2026-01-31\""), "\(page)")
            }
            let files = try await browser.open("/console/reports?from=2026-01-01&last=2026-01-31").text
            #expect(files.contains("from=2026-01-01&amp;to=2026-02-01"), "\(files)")
            let days = try await browser.open("/console/finance?from=2026-01-30&last=2026-01-31").text
            #expect(days.contains("day=2026-01-31\"") && !days.contains("day=2026-02-01\""), "\(days)")
        }
    }

    /// The month that the page of a closing offers.
    private static func month(of page: Answer) throws -> String {
        String(try #require(page.text.firstMatch(of: #/name="month" value="(\d{4}-\d{2})"/#)?.1))
    }

    @Test func `a month is closed by two people, sealed, and its files are offered`() async throws {
        let key = "LEDGERD_SEAL_KEY"
        let secret = Data(repeating: 7, count: 32).base64EncodedString()
        try await ConsoleHouse.open([key: secret]) { console in
            let finance = try await console.browser(as: "finance-1")
            let page = try await finance.open("/console/closing")
            #expect(page.text.contains("Open findings") && page.text.contains("can&#39;t be undone"), "\(page)")
            #expect(page.text.contains("href=\"/console/findings\""), "\(page)")
            // There is no period without an entry: it would be of a moment to the same moment.
            #expect(page.text.contains("Nothing was booked before") && !page.text.contains("Open in"), "\(page)")
            let month = try Self.month(of: page)
            let wrong = try await finance.submit("/console/closing", [("confirm", "yes"), ("reason", "month end")])
            #expect(wrong.status == 400 && wrong.text.contains(month), "\(wrong)")
            try await finance.open("/console/closing")
            let proposed = try await finance.submit(
                "/console/closing", [("confirm", month), ("reason", "<b>month end</b>")])
            #expect(proposed.text.contains("The closing is proposed") && proposed.text.contains("You proposed this"))
            #expect(proposed.text.contains("&lt;b&gt;month end") && !proposed.text.contains("/console/closing/1/close"))
            let own = try await finance.submit(
                "/console/closing/1/withdraw", [("confirm", month)], sendTo: "/console/closing/1/close")
            #expect(own.status == 403, "\(own)")
            #expect(try await console.house.books.count("SELECT count(*) FROM closed_period") == 0)

            let second = try await console.browser(as: "administrator-1")
            let home = try await second.open("/console")
            #expect(home.text.contains("Closing \(month), Fin Cho"), "\(home)")
            #expect(try await second.open("/console/approvals").text.contains("second person: \(month)</a> (Fin Cho)"))
            try await second.open("/console/closing")
            let typo = try await second.submit("/console/closing/1/close", [("confirm", "2026")])
            #expect(typo.status == 400, "\(typo)")
            // A page of another month shows the proposal with what is open of its own, and less than that closes nothing.
            let another = try await second.open("/console/closing?month=2020-01")
            #expect(another.text.contains("Open now"), "\(another)")
            let outdated = try await second.submit(
                "/console/closing/1/close", [("confirm", month), ("open_items", "-1")])
            #expect(outdated.status == 409 && outdated.text.contains("It has changed"), "\(outdated)")
            #expect(try await console.house.books.count("SELECT count(*) FROM closed_period") == 0)
            try await second.open("/console/closing")
            let closed = try await second.submit("/console/closing/1/close", [("confirm", month)])
            #expect(
                closed.text.contains("The books are closed") && closed.text.contains("period=\(month)"), "\(closed)")
            #expect(try await console.house.books.count("SELECT count(*) FROM closed_period") == 1)
            let sealed = try await second.submit("/console/closing/seal")
            #expect(sealed.text.contains("The books are sealed"), "\(sealed)")
            let file = try #require(sealed.text.firstMatch(of: #/href="(/console/closing/seals/\d+)"/#)?.1)
            #expect(try await second.open(String(file)).json["signature"].text != nil)
            let records = """
                SELECT concat_ws('|', act, subject, audit_outcome.outcome) FROM audit
                JOIN audit_outcome ON audit_id = audit.id WHERE act ~ 'clos|seal' ORDER BY audit.id
                """
            #expect(
                try await console.house.books.texts(records) == [
                    "propose-closing|finance-1|done", "close-books|finance-1|refused",
                    "close-books|administrator-1|refused", "close-books|administrator-1|done",
                    "seal-books|administrator-1|done",
                ])
        }
    }

    @Test func `a proposed closing is withdrawn, and the books stay open`() async throws {
        try await ConsoleHouse.open { console in
            let finance = try await console.browser(as: "finance-1")
            let page = try await finance.open("/console/closing")
            #expect(page.text.contains("LEDGERD_SEAL_KEY is not set"), "\(page)")
            let month = try Self.month(of: page)
            try await finance.submit("/console/closing", [("confirm", month), ("reason", "month end")])
            let withdrawn = try await finance.submit("/console/closing/1/withdraw", [("reason", "too early")])
            #expect(withdrawn.text.contains("The proposal is withdrawn"), "\(withdrawn)")
            #expect(withdrawn.text.contains("action=\"/console/closing\""), "it can be proposed again: \(withdrawn)")
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await viewer.open("/console/closing").status == 403)
        }
    }
}
