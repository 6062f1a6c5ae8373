import Foundation
import TestSupport
import Testing

/// Money that leaves the company, and what is decided about it, in the console: transfers, payouts, claims, disputes.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleMoneyTests {
    /// A bank's payment of today, in the time zone of pages.
    private static var payment: [(String, String)] { [("paid_at", Noon.day()), ("bank_reference", "KB <b>42</b>")] }

    /// A bank's payment as of a clock that is ahead of ours by less than ten minutes.
    private static var soon: [(String, String)] {
        [("paid_at", Date(timeIntervalSinceNow: 300).formatted(.iso8601)), ("bank_reference", "KB <b>42</b>")]
    }

    private static func audited(_ acts: String, in books: Books) async throws -> [String] {
        try await books.texts(
            """
            SELECT concat_ws('|', act, target, subject, reason, audit_outcome.outcome) FROM audit
            JOIN audit_outcome ON audit_id = audit.id WHERE act LIKE '%\(acts)' ORDER BY audit.id
            """)
    }

    @Test func `an approved transfer is marked as paid, and another one is reversed`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            let bought = try await console.service.present(try await console.gateway.pay("5000"))
            let id = try #require(bought.purchase["id"].integer)
            var refunds: [Int64] = []
            for key in ["a", "b"] {
                let approved = try await console.service.refund(
                    id, #", "method": "bank_transfer", "coins": 40"#, key: key)
                refunds.append(try #require(approved.json["refund"]["id"].integer, "\(approved)"))
            }
            let browser = try await console.browser(as: "finance-1")
            let list = try await browser.open("/console/transfers")
            #expect(list.text.contains("₩400") && list.text.contains("/console/customers/ann#refund-"), "\(list)")
            let early = try await browser.submit(
                "/console/transfers/\(refunds[0])/pay", [("paid_at", "2099-01-01"), ("bank_reference", "x")])
            #expect(early.status == 400, "\(early)")
            try await browser.open("/console/transfers")
            let paid = try await browser.submit("/console/transfers/\(refunds[0])/pay", Self.soon)
            #expect(paid.text.contains("The transfer is booked"), "\(paid)")
            let late = try await browser.submit("/console/transfers/\(refunds[1])/pay", [("paid_at", "soon")])
            #expect(late.status == 400, "\(late)")
            try await browser.open("/console/transfers")
            let reversed = try await browser.submit(
                "/console/transfers/\(refunds[1])/reverse", [("reason", "account closed")])
            #expect(reversed.text.contains("The refund is reversed"), "\(reversed)")
            #expect(try await browser.open("/console/transfers").text.contains("No refund by bank transfer"))
            let done = try await browser.open("/console/transfers?status=completed")
            #expect(done.text.contains("KB &lt;b&gt;42") && !done.text.contains("<b>42"), "\(done)")
            #expect(try await browser.open("/console/transfers?status=reversed").text.contains("₩400"))
            let books = console.house.books
            #expect(try await books.texts("SELECT status FROM refund ORDER BY id") == ["completed", "reversed"])
            #expect(
                try await Self.audited("transfer", in: books) == [
                    "pay-transfer|refund:\(refunds[0])|finance-1|KB <b>42</b>|done",
                    "reverse-transfer|refund:\(refunds[1])|finance-1|account closed|done",
                ])
            #expect(try await console.browser(as: "support-1").open("/console/transfers").status == 403)
            try await console.house.expectSound()
        }
    }

    @Test func `a refund that the gateway gives back is no transfer, in the console as in the API`() async throws {
        try await ConsoleHouse.open { console in
            let id = try await console.service.buy(try await console.gateway.pay())
            let refunded = try await console.service.refund(id, #", "coins": 10"#)
            let refund = try #require(refunded.json["refund"]["id"].integer, "\(refunded)")
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/transfers")
            let token = try #require(browser.formToken)
            let moment = Date().formatted(.iso8601)
            let bank = [("paid_at", moment), ("bank_reference", "KB 42")]
            let body = #"{"paid_at": "\#(moment)", "bank_reference": "KB 42"}"#
            for (path, act, fields, request) in [
                ("pay", "payment", bank, body), ("repay", "repayment", bank, body),
                ("reverse", "reversal", [("reason", "r")], #"{"reason": "r"}"#),
            ] {
                let answer = try await console.service.post(
                    "/v1/refunds/\(refund)/\(act)", request, key: path, as: Token.finance())
                let page = try await browser.post(
                    "/console/transfers/\(refund)/\(path)", [("token", token), ("once", Fresh.key)] + fields)
                #expect(answer.status == 422 && page.status == answer.status, "\(path): \(page)")
                #expect(answer.code.map { page.text.contains("<code>\($0)</code>") } == true, "\(answer), \(page)")
            }
            try await console.house.expectSound()
        }
    }

    @Test func `a payout is proposed by one person, approved by another, paid once, and explained`() async throws {
        try await ConsoleHouse.open(Noon.setting) { console in
            let hold = try await Self.earn(console)
            let finance = try await console.browser(as: "finance-1")
            #expect(try await finance.open("/console/providers").text.contains("₩320"))
            try await finance.open("/console/payouts")
            let unknown = try await finance.submit("/console/payouts", [("cut_off", ""), ("providers", "nobody")])
            #expect(unknown.status == 422 && unknown.text.contains("nothing_owed"), "\(unknown)")
            try await finance.open("/console/payouts")
            // All providers, and until now, are what the empty fields of the page mean, and not what is missing.
            let mine = try #require(finance.formToken)
            for wrong in [
                [("cut_off", "")], [("providers", "")], [("cut_off", ""), ("provider", "designer-3")],
                [("cut_off", ""), ("providers", ",")], [("cut_off", "NaN"), ("providers", "")],
                [("cut_off", ""), ("providers", "nobody"), ("providers", "")],
            ] {
                let form = wrong + [("token", mine), ("once", try #require(Self.once(finance.page.text)))]
                let answer = try await finance.post("/console/payouts", form)
                #expect(answer.status == 400, "\(wrong): \(answer)")
                try await finance.open("/console/payouts")
            }
            #expect(try await console.house.books.count("SELECT count(*) FROM payout") == 0)
            let proposed = try await finance.submit(
                "/console/payouts", [("cut_off", ""), ("providers", ""), ("note", "<i>November</i>")])
            #expect(proposed.text.contains("The payout is proposed") && proposed.text.contains("₩320"), "\(proposed)")
            #expect(proposed.text.contains("You proposed this payout") && !proposed.text.contains("/approve"))
            #expect(!proposed.text.contains("<i>November") && !proposed.text.contains("/file"))
            let path = String(finance.path.prefix { $0 != "?" })
            let token = try #require(finance.formToken)
            let own = try await finance.post(
                "\(path)/approve", [("token", token), ("once", try #require(Self.once(finance.page.text)))])
            #expect(own.status == 403, "\(own)")
            #expect(try await finance.open("\(path)/file").status == 409)

            let administrator = try await console.browser(as: "administrator-1")
            try await administrator.open(path)
            let approved = try await administrator.submit("\(path)/approve")
            #expect(approved.text.contains("The payout is approved"), "\(approved)")
            let file = try await finance.open("\(path)/file")
            #expect(file.text.hasSuffix(",designer-3,320,0,0,320\r\n"), "\(file)")
            #expect(try await finance.open("\(path)/file?encoding=cp949").status == 400)
            #expect(try await finance.open(path).text.contains("\(path)/file?for=excel"))
            #expect(try await finance.open("\(path)/file?for=excel").text.hasPrefix("\u{FEFF}payout_id,"))
            try await finance.open(path)
            let future = try await finance.submit("\(path)/pay", [("paid_at", "2099-01-01"), ("bank_reference", "x")])
            #expect(future.status == 400 && future.text.contains("Paid_at must not be in the future"), "\(future)")
            let ahead = try await console.house.run(
                "payouts", "pay", String(path.split(separator: "/").last ?? ""), "--paid-at", "2099-01-01",
                "--bank-reference", "x", with: ["LEDGERD_DATABASE_URL": console.house.ledger.serviceURL])
            #expect(ahead.exit == .code(64) && ahead.errors.contains("--paid-at must not be in the future"), "\(ahead)")
            try await finance.open(path)
            let form = String(finance.page.text.split(separator: "action=\"\(path)/pay\"").last ?? "")
            let payment = Self.soon
            let paid = try await finance.submit("\(path)/pay", payment)
            #expect(paid.text.contains("The payout is booked") && paid.text.contains("KB &lt;b&gt;42"), "\(paid)")
            // The same form again is the same act.
            let again = try await finance.post(
                "\(path)/pay", [("token", token), ("once", try #require(Self.once(form)))] + payment)
            #expect(again.status == 200, "\(again)")
            let books = console.house.books
            #expect(try await books.count("SELECT count(*) FROM payout_decision WHERE decision = 'paid'") == 1)
            #expect(
                try await books.texts(
                    "SELECT proposed_by || '|' || decided_by FROM payout JOIN payout_decision "
                        + "ON payout_id = id WHERE decision = 'approved'") == [
                        "console:finance-1|console:administrator-1"
                    ])

            // What comes back now is a claim, which the provider pays back.
            let reversed = try await console.service.post(
                "/v1/holds/\(hold.hold)/captures/\(hold.capture)/reversals", "{}", key: "back")
            #expect(reversed.status == 201, "\(reversed)")
            let statement = try await finance.open("/console/providers/designer-3")
            #expect(
                statement.text.contains("claim on the provider") && statement.text.contains("−₩320"), "\(statement)")
            let much = try await finance.submit(
                "/console/providers/designer-3/repay", [("amount", "321")] + Self.payment)
            #expect(much.status == 422 && much.text.contains("exceeds_claim"), "\(much)")
            let settings = ["LEDGERD_DATABASE_URL": console.house.ledger.serviceURL]
            let part = try await console.house.run(
                "providers", "repay", "designer-3", "--amount", "20", "--paid-at", Self.soon[0].1, "--bank-reference",
                "x",
                with: settings)
            #expect(part.output.contains("20 KRW paid back, 300 KRW are left"), "\(part)")
            let early = try await console.house.run(
                "providers", "repay", "designer-3", "--amount", "20", "--paid-at", "2099-01-01", "--bank-reference",
                "y",
                with: settings)
            #expect(early.errors.contains("--paid-at must not be in the future"), "\(early)")
            try await finance.open("/console/providers/designer-3")
            let repaid = try await finance.submit(
                "/console/providers/designer-3/repay", [("amount", "300")] + Self.soon)
            #expect(repaid.text.contains("The repayment is booked") && repaid.text.contains("repayment"), "\(repaid)")
            #expect(!repaid.text.contains("claim on the provider"))
            #expect(
                try await Self.audited("payout", in: books).map { $0.split(separator: "|").last } == [
                    "refused", "done", "refused", "done", "done",
                ])
            #expect(try await finance.open("/console/providers/nobody").status == 404)
            #expect(try await finance.open("/console/payouts/99").status == 404)
            try await console.house.expectSound()
        }
    }

    @Test func `a payout is withdrawn with a reason, and a viewer sees none of it`() async throws {
        try await ConsoleHouse.open { console in
            _ = try await Self.earn(console)
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/payouts")
            let future = try await finance.submit("/console/payouts", [("cut_off", "2099-01-01"), ("providers", "")])
            #expect(future.status == 400, "\(future)")
            try await finance.open("/console/payouts")
            try await finance.submit("/console/payouts", [("cut_off", ""), ("providers", "designer-3, other")])
            let path = String(finance.path.prefix { $0 != "?" })
            let withdrawn = try await finance.submit("\(path)/withdraw", [("reason", "wrong month")])
            #expect(withdrawn.text.contains("The payout is withdrawn") && withdrawn.text.contains("wrong month"))
            #expect(!withdrawn.text.contains("/pay\"") && !withdrawn.text.contains("/withdraw\""))
            for page in ["payouts", "payouts/1", "payouts/1/file", "providers", "providers/designer-3", "disputes"] {
                #expect(try await console.browser(as: "viewer-1").open("/console/\(page)").status == 403, "\(page)")
            }
        }
    }

    @Test func `a dispute is decided as lost and then won, in the console and by command`() async throws {
        try await ConsoleHouse.open { console in
            for _ in 0..<2 {
                #expect(try await console.service.present(try await console.gateway.pay("5000")).status == 201)
            }
            let books = console.house.books
            try await books.execute(
                """
                INSERT INTO dispute (id, stripe, purchase_id, user_id, opened_at, reason, recorded_at)
                SELECT nextval('record_id'), stripe, id, user_id, now(), '<b>not mine</b>', now() FROM purchase
                ORDER BY id
                """)
            let ids = try await books.texts("SELECT id::text FROM dispute ORDER BY id")
            let browser = try await console.browser(as: "finance-1")
            let list = try await browser.open("/console/disputes")
            #expect(list.text.contains("&lt;b&gt;not mine") && list.text.contains("₩5,000"), "\(list)")
            let path = "/console/disputes/\(ids[0])/decide"
            let unclear = try await browser.submit(path, [("reason", "x")])
            #expect(unclear.status == 400, "\(unclear)")
            try await browser.open("/console/disputes")
            let lost = try await browser.submit(path, [("reason", "letter of the card company"), ("outcome", "lost")])
            #expect(lost.text.contains("The decision is booked") && lost.text.contains("₩0"), "\(lost)")
            #expect(try await console.service.coins() == 550)
            #expect(
                try await Self.audited("dispute", in: books)
                    == ["decide-dispute|dispute:\(ids[0])|finance-1|lost: letter of the card company|done"])

            let settings = ["LEDGERD_DATABASE_URL": console.house.ledger.serviceURL]
            let open = try await console.house.run("disputes", with: settings)
            #expect(open.output.contains(ids[1]) && !open.output.contains(ids[0]), "\(open)")
            // Each letter is booked once: its repeat gets the same answer.
            for (letter, outcome) in ["lost", "won", "lost", "won"].enumerated() {
                let moved = outcome == "won" ? "given" : "taken"
                for _ in 0..<2 {
                    let decided = try await console.house.run(
                        "disputes", "decide", ids[1], outcome, "--reason", "letter \(letter)", "--by", "kim",
                        with: settings)
                    let coins = "500 paid and 50 bonus coins \(moved) back, 5000 won"
                    #expect(decided.output == "dispute \(ids[1]) is \(outcome): \(coins)\n", "\(decided)")
                }
                #expect(try await console.service.coins() == (outcome == "won" ? 550 : 0))
            }
            let other = try await console.house.run(
                "disputes", "decide", ids[1], "won", "--reason", "another letter", "--by", "kim", with: settings)
            #expect(other.exit == .code(1), "\(other)")
            let unknown = try await console.house.run(
                "disputes", "decide", "7", "won", "--reason", "no", with: settings)
            #expect(unknown.errors.contains("does not exist"), "\(unknown)")
            let json = try await console.house.run("disputes", "--status", "lost", "--json", with: settings)
            #expect(json.output.contains("\"status\":\"lost\""), "\(json)")
            try await browser.open("/console/disputes?status=lost")
            let won = try await browser.submit(path, [("reason", "second letter"), ("outcome", "won")])
            #expect(won.text.contains("The decision is booked") && won.text.contains("₩5,000"), "\(won)")
            #expect(try await console.service.coins() == 1100)
            try await console.house.expectSound()
        }
    }

    /// A designer with 80 % earns ₩320 by a capture of ann's coins.
    private static func earn(_ console: ConsoleHouse) async throws -> (hold: Int64, capture: Int64) {
        #expect(try await console.service.present(try await console.gateway.pay("5000")).status == 201)
        let set = try await console.service.send(
            .put, "/v1/providers/designer-3", as: Token.finance(), headers: [("Content-Type", "application/json")],
            body: #"{"share_basis_points": 8000, "role": "agent"}"#)
        #expect(set.status == 200, "\(set)")
        let placed = try await console.service.post("/v1/users/ann/holds", #"{"coins": 90}"#, key: "hold")
        let hold = try #require(placed.json["hold"]["id"].integer)
        let captured = try await console.service.post(
            "/v1/holds/\(hold)/capture", #"{"provider": "designer-3"}"#, key: "capture")
        return (hold, try #require(captured.json["capture"]["journal_entry_id"].integer, "\(captured)"))
    }

    private static func once(_ html: String) -> String? {
        html.firstMatch(of: #/name="once" value="([^"]*)"/#).map { String($0.1) }
    }
}
