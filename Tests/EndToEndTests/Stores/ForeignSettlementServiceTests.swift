import EndToEndSupport
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// What Google pays out of a payment in dollars, and revaluation, over HTTP and by command.
@Suite(.timeLimit(.minutes(20))) struct ForeignSettlementServiceTests {
    @Test func `Google's file settles what was paid in dollars, and a preview shows both amounts`() async throws {
        try await House.openGooglePlay { house, store, service in
            try await service.publish("1387.40")
            let bought = try await store.buy(#", "currency": "USD", "price": 0.99"#)
            let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(credited.status == 201 && credited.json["purchase"]["amount"] == 1374, "\(credited)")
            var earnings = EarningsFile()
            let order = try #require(bought.order)
            earnings.add(order, "Charge", "1380", buyer: "USD", paid: "0.99")
            earnings.add(order, "Google fee", "-207", buyer: "USD", paid: "-0.15")
            earnings.add("GPA.unknown", "Charge", "1380", buyer: "USD", paid: "0.99")
            func post(_ more: String = "") async throws -> Answer {
                try await service.send(
                    .post, "/v1/settlements?format=google-play&paid_out_on=\(seoulDay())&name=a.csv\(more)",
                    as: Token.finance(), headers: [("Content-Type", "text/csv")], body: earnings.text)
            }
            let preview = try await post("&dry_run=true")
            #expect(preview.status == 200 && preview.json["matched"] == 1, "\(preview)")
            let unknown = preview.json["unmatched"].elements.first
            #expect(unknown?["foreign_gross"] == 99 && unknown?["foreign_currency"] == "USD", "\(preview)")
            let imported = try await post()
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            let rows = try await service.get((imported.headers["Location"] ?? "") + "/rows", as: Token.finance())
            let row = try #require(rows.json["rows"].elements.first)
            #expect(row["gross"] == 1380 && row["carried"] == 1374 && row["foreign_gross"] == 99, "\(rows)")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0 && owed.json["outstanding"].elements.isEmpty, "\(owed)")
            try await house.expectSound()
        }
    }

    /// A day in the App Store's writing, so many days from now.
    private static func appleDay(_ days: Double) -> String {
        let day = Date(timeIntervalSinceNow: days * 86_400).formatted(.iso8601.year().month().day())
        let date = day.split(separator: "-")
        return "\(date[1])/\(date[2])/\(date[0])"
    }

    @Test func `Apple's report settles what was paid in dollars by a rate and proceeds, or says what is wrong`()
        async throws
    {
        try await House.openStore { house, store, service in
            try await service.publish("1387.40")
            let bought = try await store.buy(#", "currency": "USD", "price": 990, "storefront": "USA""#)
            let credited = try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann"))
            #expect(credited.status == 201 && credited.json["purchase"]["amount"] == 1374, "\(credited)")
            var report = FinanceReportFile()
            report.add(
                "com.example.coins.100", "S", "1", "0.69", currency: "USD", customers: "USD",
                from: Self.appleDay(-10), to: Self.appleDay(2))
            func post(_ more: String, format: String = "app-store") async throws -> Answer {
                try await service.send(
                    .post, "/v1/settlements?format=\(format)&paid_out_on=\(seoulDay())&name=a.txt\(more)",
                    as: Token.finance(), headers: [("Content-Type", "text/csv")], body: report.text)
            }
            for (more, says) in [
                ("", "exchange rate and proceeds in won"), ("&currency=JPY&exchange_rate=9.5&proceeds=7", "is in JPY"),
                ("&currency=USD&exchange_rate=1400&proceeds=900", "which is 966 won at 1400, but the proceeds are 900"),
            ] {
                let refused = try await post(more)
                #expect(refused.status == 422 && refused.code == "statement_invalid", "\(refused)")
                #expect(refused.json["detail"].text?.contains(says) ?? false, "\(refused)")
            }
            let told = "&currency=USD&exchange_rate=1400&proceeds=966"
            for (more, format) in [
                ("&currency=USD", "app-store"), ("&exchange_rate=1400&proceeds=966", "app-store"),
                ("&currency=KRW&exchange_rate=1&proceeds=966", "app-store"), (told, "google-play"), (told, "columns"),
            ] {
                let refused = try await post(more, format: format)
                #expect(refused.status == 400 && refused.code == "invalid_request", "\(more) \(format): \(refused)")
            }
            let preview = try await post(told + "&dry_run=true")
            #expect(preview.status == 200 && preview.json["totals"]["net"] == 966, "\(preview)")
            let imported = try await post(told)
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            let rows = try await service.get((imported.headers["Location"] ?? "") + "/rows", as: Token.finance())
            let row = try #require(rows.json["rows"].elements.first)
            #expect(row["gross"] == 1386 && row["carried"] == 1374 && row["foreign_gross"] == 99, "\(rows)")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0 && owed.json["outstanding"].elements.isEmpty, "\(owed)")

            let file = house.directory.appending(path: "report.txt")
            try Data(report.text.utf8).write(to: file)
            func run(_ more: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let command = [
                    "settlement", "import", file.path, "--format", "app-store", "--paid-out-on", seoulDay(),
                    "--currency", "USD",
                ]
                let child = try house.start(command + more, ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            let done = try await run("--exchange-rate", "1400", "--proceeds", "966")
            #expect(done.exit == .code(0) && done.output.contains("lines booked now: 0\n"), "\(done)")
            let lacking = try await run("--proceeds", "966")
            #expect(lacking.exit == .code(64) && lacking.errors.contains("--exchange-rate must be"), "\(lacking)")
            try await house.expectSound()
        }
    }

    @Test func `finance revalues a month of a currency once`() async throws {
        try await House.openGooglePlay { house, _, service in
            func revalue(_ key: String, _ currency: String, _ month: String) async throws -> Answer {
                try await service.post(
                    "/v1/revaluations", #"{"currency": "\#(currency)", "month": "\#(month)"}"#, key: key,
                    as: Token.finance())
            }
            #expect(try await revalue("a", "USD", "2026-02").code == "no_rate")
            try await service.publish("1387.40", for: "2026-02-28")
            for (currency, month, code) in [
                ("KRW", "2026-02", "currency_of_books"), ("ZZZ", "2026-02", "unknown_currency"),
                ("USD", "2025-12", "no_rate"), ("USD", "2026-03", "no_rate"), ("USD", "2098-01", "period_not_over"),
                ("USD", "soon", "invalid_request"),
            ] {
                let answer = try await revalue("b-\(currency)-\(month)", currency, month)
                #expect(answer.code == code, "\(answer)")
            }
            let booked = try await revalue("c", "USD", "2026-02")
            #expect(booked.status == 200 && booked.json["amount"] == 0 && booked.json["open"] == 0, "\(booked)")
            #expect(booked.json["journal_entry_id"].integer == nil, "nothing is open")
            #expect(booked.json["rate"] == "1387.40" && booked.json["per"] == 1, "\(booked)")
            #expect(booked.json["rate_day"] == "2026-02-28", "\(booked)")
            #expect(try await revalue("c", "USD", "2026-02").headers["Idempotent-Replayed"] == "true")
            #expect(try await revalue("d", "USD", "2026-02").json == booked.json)
            let id = try #require(booked.json["id"].integer)
            #expect(try await service.get("/v1/revaluations/\(id)", as: Token.finance()).json == booked.json)
            #expect(try await service.get("/v1/revaluations/999999", as: Token.finance()).status == 404)
            let list = try await service.get("/v1/revaluations", as: Token.finance()).json["revaluations"].elements
            #expect(list == [booked.json])
            #expect(try await service.get("/v1/revaluations", as: Token.service()).status == 403)

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func book() async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let child = try house.start(
                    ["revaluations", "book", "USD", "--month", "2026-03", "--by", "kim"], settings)
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            let lacking = try await book()
            #expect(lacking.exit != .code(0) && lacking.errors.contains("2026-03-25 to 2026-03-31"), "\(lacking)")
            try await service.publish("1390.50", for: "2026-03-30")
            let done = try await book()
            #expect(done.exit == .code(0), "\(done)")
            #expect(done.output.contains("nothing to book for 2026-03: 0.00 USD"), "\(done)")
            #expect(done.output.contains("at 1390.50 of 2026-03-30"), "\(done)")
            try await house.expectSound()
        }
    }
}
