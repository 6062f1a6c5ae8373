import CivilTime
import Ledger
import LedgerTestSupport
import TestSupport
import Testing

/// Revaluations of foreign currencies in the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleRevaluationTests {
    private static let page = "/console/revaluations"

    @Test func `finance revalues a month that is missing, once`() async throws {
        try await ConsoleHouse.open { console in
            let finance = try await console.browser(as: "finance-1")
            let empty = try await finance.open(Self.page)
            #expect(empty.text.contains("Every month that is over and left something due is revalued"), "\(empty)")
            try await Self.buy(in: console)
            let list = try await finance.open("/console/adjustments")
            #expect(list.text.contains("href=\"\(Self.page)\""), "\(list)")
            let missing = try await finance.open(Self.page)
            #expect(missing.text.contains("USD, 2026-01"), "\(missing)")
            for figure in ["USD 0.99", "₩1,374", "₩1,386", "1400 (2026-01-30)", "2026-02-22 to 2026-02-28"] {
                #expect(missing.text.contains(figure), "\(figure): \(missing)")
            }
            let form = finance.fields
            #expect(form.contains { $0 == ("currency", "USD") }, "\(form)")
            let booked = try await finance.post(Self.page, form)
            #expect(booked.text.contains("The month is revalued"), "\(booked)")
            for amount in ["USD 0.99", "₩1,374", "₩1,386", "₩12", "1400 (2026-01-30)"] {
                #expect(booked.text.contains(amount), "\(amount): \(booked)")
            }
            let entry = try #require(booked.text.firstMatch(of: #/href="(/console/entries/\d+)"/#)?.1)
            let shown = try await finance.open(String(entry))
            #expect(shown.text.contains("fx:unrealised:USD") && shown.text.contains(Self.page), "\(shown)")
            // The same form again is the same act.
            let again = try await finance.post(Self.page, form)
            #expect(again.text.contains("The month is revalued"), "\(again)")
            let books = console.house.books
            #expect(try await books.count("SELECT count(*) FROM revaluation") == 1)
            #expect(try await books.count("SELECT count(*) FROM audit WHERE act = 'book-revaluation'") == 1)
            try await console.house.expectSound()
        }
    }

    @Test func `a month whose figures can't be computed is listed without them, and is revalued all the same`()
        async throws
    {
        try await ConsoleHouse.open { console in
            try await Self.buy(in: console)
            let finance = try await console.browser(as: "finance-1")
            let test = console.house.ledger
            try await test.execute("REVOKE SELECT ON posting FROM ledgerd_service")
            let missing = try await finance.open(Self.page)
            let form = finance.fields
            try await test.execute("GRANT SELECT ON posting TO ledgerd_service")
            #expect(missing.status == 200 && missing.text.contains("USD, 2026-01"), "\(missing)")
            #expect(missing.text.contains("could not be computed in time"), "\(missing)")
            #expect(missing.text.contains("1400 (2026-01-30)") && !missing.text.contains("₩1,374"), "\(missing)")
            let booked = try await finance.post(Self.page, form)
            #expect(booked.text.contains("The month is revalued") && booked.text.contains("₩1,374"), "\(booked)")
        }
    }

    @Test func `what is no currency with a rate, or no month, is refused, and others see none of it`() async throws {
        try await ConsoleHouse.open { console in
            try await Self.buy(in: console)
            let finance = try await console.browser(as: "finance-1")
            try await finance.open(Self.page)
            for (currency, month) in [("JPY", "2026-01"), ("KRW", "2026-01"), ("USD", "soon"), ("USD", "2098-01")] {
                try await finance.open(Self.page)
                let refused = try await finance.submit(Self.page, [("currency", currency), ("month", month)])
                #expect(refused.status >= 400 && refused.status < 500, "\(currency) \(month): \(refused)")
            }
            #expect(try await console.house.books.count("SELECT count(*) FROM revaluation") == 0)
            let korean = try await finance.open(Self.page, headers: [("Accept-Language", "ko")])
            #expect(korean.text.contains("환산분개 기장"), "\(korean)")
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open(Self.page).status == 403)
        }
    }

    /// Sells coins for $0.99, carried at ₩1,374, of which ₩1,386 are due at the end of January.
    private static func buy(in console: ConsoleHouse) async throws {
        let ledger = try await console.house.ledger.open(writers: 1)
        let rate = try await ledger.publish("1387.40")
        _ = try await ledger.submit(CreditPurchase.sample(1, at: rate))
        try await ledger.publish("1400", on: sure(CivilDate(year: 2026, month: 1, day: 30)))
        await ledger.close()
    }
}
