import TestSupport
import Testing

/// Accounting policies and month-end adjustments in the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleAdjustmentTests {
    private static let policy = [
        ("method", "expected_pattern"), ("month", "2026-01"), ("reason", "<b>the auditor</b>"),
    ]

    @Test func `finance sets a policy, previews it, and books exactly that, once`() async throws {
        try await Self.open { console, months in
            try await months.pass(1, at: console.gateway, console.service)
            let finance = try await console.browser(as: "finance-1")
            let empty = try await finance.open("/console/adjustments")
            #expect(empty.text.contains("No policy is set"), "\(empty)")
            let vague = try await finance.submit("/console/adjustments/policies", Self.policy)
            #expect(vague.status == 400 && vague.text.contains("expected_pattern with expected"), "\(vague)")
            try await finance.open("/console/adjustments")
            let set = try await finance.submit(
                "/console/adjustments/policies", Self.policy + [("expected", "100"), ("highly_probable", "")])
            #expect(set.text.contains("The policy is set") && set.text.contains("in proportion to use"), "\(set)")
            #expect(set.text.contains("highly probable: 100"), "the same as expected: \(set)")
            let path = "/console/adjustments/preview?subject=breakage&month=2026-01"
            #expect(set.text.contains(path.replacing("&", with: "&amp;")), "it is missing: \(set)")

            // A tenth of ₩2,000, times ₩600 used of ₩1,800 that are expected to be used.
            let preview = try await finance.open(path)
            #expect(preview.text.contains("₩66") && preview.text.contains("₩1,400"), "\(preview)")
            let changed = try await finance.submit("/console/adjustments", [("target", "65")])
            #expect(changed.text.contains("The figures have changed"), "\(changed)")
            let form = finance.fields
            let booked = try await finance.submit("/console/adjustments")
            #expect(booked.text.contains("The adjustment is booked") && booked.text.contains("₩66"), "\(booked)")
            let entry = try #require(booked.text.firstMatch(of: #/href="(/console/entries/\d+)"/#)?.1)
            #expect(try await finance.open(String(entry)).text.contains("coins:expected-breakage"))
            // The same form again is the same act.
            let again = try await finance.post("/console/adjustments", form)
            #expect(again.text.contains("The adjustment is booked"), "\(again)")
            let books = console.house.books
            #expect(try await books.count("SELECT count(*) FROM adjustment") == 1)
            let list = try await finance.open("/console/adjustments")
            #expect(!list.text.contains("month=2026-01\"") && list.text.contains("month=2026-02\""), "\(list)")

            try await finance.open(path)
            let nothing = try await finance.submit("/console/adjustments")
            #expect(nothing.text.contains("There was nothing to post"), "\(nothing)")
            try await finance.open("/console/adjustments")
            let late = try await finance.submit("/console/adjustments/policies", Self.policy + [("expected", "50")])
            #expect(late.status == 409 && late.text.contains("month_adjusted"), "\(late)")
            #expect(try await books.count("SELECT count(*) FROM journal_entry WHERE kind = 'adjustment'") == 1)
            #expect(
                try await books.texts(
                    """
                    SELECT concat_ws('|', act, target, subject, reason, audit_outcome.outcome) FROM audit
                    JOIN audit_outcome ON audit_id = audit.id WHERE target ~ '^(policy|adjustment)' ORDER BY audit.id
                    """) == [
                        "set-policy|policy:breakage/2026-01|finance-1|<b>the auditor</b>|done",
                        "book-adjustment|adjustment:breakage/2026-01|finance-1||done",
                        "book-adjustment|adjustment:breakage/2026-01|finance-1||done",
                        "set-policy|policy:breakage/2026-01|finance-1|<b>the auditor</b>|refused",
                    ])
            try await console.house.expectSound()
        }
    }

    @Test func `a month that is not over is previewed only, and others see none of it`() async throws {
        try await Self.open { console, months in
            try await months.pass(1, at: console.gateway, console.service)
            let finance = try await console.browser(as: "finance-1")
            try await finance.open("/console/adjustments")
            try await finance.submit(
                "/console/adjustments/policies", [("method", "relative_price"), ("month", "2026-01"), ("reason", "x")])
            let token = try #require(finance.formToken)
            let running = try await finance.open("/console/adjustments/preview?subject=bonus&month=2098-01")
            #expect(running.text.contains("The month is not over") && !running.text.contains("name=\"target\""))
            let early = try await finance.post(
                "/console/adjustments",
                [("token", token), ("once", "x"), ("subject", "bonus"), ("month", "2098-01"), ("target", "0")])
            #expect(early.status == 422 || early.status == 400, "\(early)")
            let unasked = try await finance.open("/console/adjustments/preview?subject=breakage&month=2026-01")
            #expect(unasked.text.contains("No policy is set") && !unasked.text.contains("name=\"target\""))
            for wrong in ["subject=rent&month=2026-01", "subject=bonus&month=soon", ""] {
                #expect(try await finance.open("/console/adjustments/preview?\(wrong)").status == 400, "\(wrong)")
            }
            #expect(try await finance.open("/console/adjustments/99").status == 404)
            let korean = try await finance.open("/console/adjustments", headers: [("Accept-Language", "ko")])
            #expect(korean.text.contains("상대적 가격으로 배분"), "\(korean)")
            let support = try await console.browser(as: "support-1")
            for page in ["", "/preview?subject=bonus&month=2026-01", "/1"] {
                #expect(try await support.open("/console/adjustments\(page)").status == 403, "\(page)")
            }
            #expect(try await console.house.books.count("SELECT count(*) FROM adjustment") == 0)
        }
    }

    @Test func `the preview of many purchases is computed beside the page, which shows it then`() async throws {
        try await Self.open { console, months in
            try await months.pass(1, at: console.gateway, console.service)
            // A judge of purchases would ask for their lots.
            try await console.house.ledger.execute(
                """
                SET LOCAL session_replication_role = replica;
                INSERT INTO purchase (
                    id, stripe, user_id, status, gateway, imp_uid, merchant_uid, product, amount, currency, coins,
                    bonus_coins, paid_at, credited_at, journal_entry_id)
                SELECT nextval('record_id'), 0, 'many', 'credited', gateway, 'imp_many_' || n, 'many-' || n, product,
                    amount, currency, coins, bonus_coins, paid_at, credited_at, journal_entry_id
                FROM generate_series(1, 10000) AS n, (SELECT * FROM purchase LIMIT 1) AS sample
                """)
            let finance = try await console.browser(as: "finance-1")
            let path = "/console/adjustments/preview?subject=breakage&month=2026-01"
            let first = try await finance.open(path + "&fresh=yes")
            #expect(first.text.contains("The preview is being computed"), "\(first)")
            #expect(first.headers["Refresh"] == "2; url=\(path)")
            try await eventually("it is there") { try await finance.open(path).text.contains("Balance afterwards") }
            let kept = try await finance.open(path)
            #expect(kept.text.contains("Computed at") && kept.headers["Refresh"] == nil, "\(kept)")
        }
    }

    /// Lends a console and months that pass.
    private static func open(_ body: (ConsoleHouse, PastMonths) async throws -> Void) async throws {
        try await House.with { house in
            let months = try await PastMonths(in: house)
            try await body(try await ConsoleHouse(in: house), months)
        }
    }
}
