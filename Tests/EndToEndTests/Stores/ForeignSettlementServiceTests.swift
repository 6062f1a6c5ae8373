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

    @Test func `finance revalues a month of a currency once`() async throws {
        try await House.openGooglePlay { house, _, service in
            func revalue(_ key: String, _ currency: String, _ month: String) async throws -> Answer {
                try await service.post(
                    "/v1/revaluations", #"{"currency": "\#(currency)", "month": "\#(month)"}"#, key: key,
                    as: Token.finance())
            }
            #expect(try await revalue("a", "USD", "2026-02").code == "no_rate")
            try await service.publish("1387.40")
            for (currency, month, code) in [
                ("KRW", "2026-02", "currency_of_books"), ("ZZZ", "2026-02", "unknown_currency"),
                ("USD", "2025-12", "no_rate"), ("USD", "2098-01", "period_not_over"),
                ("USD", "soon", "invalid_request"),
            ] {
                let answer = try await revalue("b-\(currency)-\(month)", currency, month)
                #expect(answer.code == code, "\(answer)")
            }
            let booked = try await revalue("c", "USD", "2026-02")
            #expect(booked.status == 200 && booked.json["amount"] == 0 && booked.json["open"] == 0, "\(booked)")
            #expect(booked.json["journal_entry_id"].integer == nil, "nothing is open")
            #expect(try await revalue("c", "USD", "2026-02").headers["Idempotent-Replayed"] == "true")
            #expect(try await revalue("d", "USD", "2026-02").json == booked.json)
            let id = try #require(booked.json["id"].integer)
            #expect(try await service.get("/v1/revaluations/\(id)", as: Token.finance()).json == booked.json)
            #expect(try await service.get("/v1/revaluations/999999", as: Token.finance()).status == 404)
            let list = try await service.get("/v1/revaluations", as: Token.finance()).json["revaluations"].elements
            #expect(list == [booked.json])
            #expect(try await service.get("/v1/revaluations", as: Token.service()).status == 403)

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let child = try house.start(["revaluations", "book", "USD", "--month", "2026-03", "--by", "kim"], settings)
            #expect(try await child.exit() == .code(0), "\(child.standardError)")
            #expect(child.standardOutput.contains("0 KRW booked for 2026-03, worth 0"), "\(child.standardOutput)")
            try await house.expectSound()
        }
    }
}
