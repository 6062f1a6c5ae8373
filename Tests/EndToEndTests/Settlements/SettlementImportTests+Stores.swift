import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Payouts of stores.
extension SettlementImportTests {
    @Test func `Google Play's earnings file is imported as it is, with the day of its payout`() async throws {
        try await House.open { house, _, service in
            let order = try await house.creditAtPlay()
            let today = seoulDay()
            var earnings = EarningsFile([
                (order, "Charge", "1000"), (order, "Google fee", "-150"), ("GPA.unknown", "Charge", "700"),
            ])
            earnings.add("GPA.abroad", "Charge", "9.99", currency: "USD", buyer: "USD")
            let query = "?format=google-play&paid_out_on=\(today)&name=PlayApps_202601.csv"
            let preview = try await Self.post(service, query + "&dry_run=true", earnings.text)
            #expect(preview.status == 200 && preview.json["matched"] == 1, "\(preview)")
            #expect(preview.json["totals"]["net"] == 850 && preview.json["unmatched_count"] == 1, "\(preview)")

            let file = house.directory.appending(path: "lines.csv")
            try Data(earnings.text.utf8).write(to: file)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func run(_ more: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let command = ["settlement", "import", file.path, "--format", "google-play"]
                let child = try house.start(command + more, settings)
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            var done = try await run("--paid-out-on", today, "--dry-run")
            #expect(done.exit == .code(0) && done.output.contains("settled        1\nunmatched      1\n"), "\(done)")
            #expect(done.errors.contains("GPA.abroad (USD)"), "\(done)")
            for wrong in [
                try await run(), try await run("--paid-out-on", "soon"),
                try await run("--paid-out-on", today, "--map", Self.map),
            ] {
                #expect(wrong.exit != .code(0) && wrong.errors.contains("Give --paid-out-on"), "\(wrong)")
            }

            let imported = try await Self.post(service, query, earnings.text)
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            #expect(imported.json["left_out"].elements.first?.text?.contains("not in won") ?? false, "\(imported)")
            #expect(imported.json["settlement"]["totals"]["fee"] == 150, "\(imported)")
            let rows = try await service.get((imported.headers["Location"] ?? "") + "/rows", as: Token.finance())
            #expect(rows.json["rows"].elements.map { $0["payment"].text } == [order, "GPA.unknown"], "\(rows)")
            #expect(rows.json["rows"].elements.first?["paid_out_on"] == "2026-01-03", "\(rows)")
            let outstanding = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(outstanding.json["outstanding"].elements.isEmpty, "\(outstanding)")
            done = try await run("--paid-out-on", today)
            #expect(done.exit == .code(0) && done.output.contains("lines booked now: 0\n"), "\(done)")
            try await house.expectSound()

            for query in [
                "?format=google-play", "?format=google-play&paid_out_on=soon", "?format=paypal", query + "&net=net",
                query + "&date_format=yyyyMMdd", Self.query + "&paid_out_on=\(today)",
            ] {
                let answer = try await Self.post(service, query, earnings.text)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(query): \(answer)")
            }
            earnings.add(order, "Google fee", "-1.5")
            let bad = try await Self.post(service, query, earnings.text, language: "ko")
            #expect(bad.status == 422 && bad.json["problem_count"] == 2, "\(bad)")
            #expect(bad.json["problems"].elements.last?.text?.contains("이 주문은 기장하지 않습니다") ?? false, "\(bad)")
        }
    }

    @Test func `a finance report of the App Store settles what was sold, or tells both numbers`() async throws {
        try await House.open { house, _, service in
            let transaction = try await house.creditInAppStore()
            let named = try await service.send(
                .put, "/v1/store-products/app-store/com.example.coins/c100", as: Token.finance(),
                headers: [("Content-Type", "application/json")], body: #"{"product": "coins_100"}"#)
            #expect(named.status == 200, "\(named)")
            let query = "?format=app-store&paid_out_on=\(seoulDay())&name=report.txt"
            let other = FinanceReportFile([("c100", "S", "2", "1400")]).text
            for query in [query, query + "&dry_run=true"] {
                let differs = try await Self.post(service, query, other)
                #expect(differs.status == 422 && differs.code == "statement_invalid", "\(differs)")
                #expect(
                    differs.json["problems"].elements.first?.text?.contains("has 2 pieces sold, the books 1") ?? false,
                    "\(differs)")
            }
            let korean = try await Self.post(service, query, other, language: "ko")
            #expect(korean.json["detail"].text?.contains("보고서는 2, 장부는 1") ?? false, "\(korean)")
            let partly = try await Self.post(service, query + "&dry_run=true&skip_bad_rows=true", other)
            #expect(partly.status == 200 && partly.json["totals"]["net"] == 700, "\(partly)")

            let report = FinanceReportFile([("c100", "S", "1", "700")]).text
            let preview = try await Self.post(service, query + "&dry_run=true", report)
            #expect(preview.status == 200 && preview.json["totals"]["net"] == 700, "\(preview)")
            let booked = try await Self.post(service, query, report)
            #expect(booked.status == 201 && booked.json["settlement"]["totals"]["fee"] == 300, "\(booked)")
            let rows = try await service.get((booked.headers["Location"] ?? "") + "/rows", as: Token.finance())
            #expect(rows.json["rows"].elements.map { $0["payment"].text } == [transaction], "\(rows)")

            let file = house.directory.appending(path: "report.txt")
            try Data(report.utf8).write(to: file)
            let run = try await house.run(
                "settlement", "import", file.path, "--format", "app-store", "--paid-out-on", seoulDay(),
                with: ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
            #expect(run.exit == .code(0) && run.output.contains("lines booked now: 0\n"), "\(run)")
            try await house.expectSound()
        }
    }
}
