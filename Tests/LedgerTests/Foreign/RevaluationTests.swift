import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What is open in a foreign currency is brought to its worth at a month's end, and back on the first of the next.
@Suite(.timeLimit(.minutes(20))) struct RevaluationTests {
    private static let dollar = ForeignCurrency.named("USD")

    private static let january = RevaluationTouch(currency: dollar, month: .named("2026-01"), zone: seoul)

    /// What a revaluation of January comes from, as the service's act has it measured and continues it.
    private static func basis(on service: PostgresConnection) async throws -> RevaluationBasis {
        var touch = january
        touch.measuredFrom = try await service.run(RevaluationBasis.measure(touch))
        return try #require(try await service.run(RevaluationBasis.continued(touch)))
    }

    private static func day(_ month: Int64, _ day: Int64) -> CivilDate {
        sure(CivilDate(year: 2026, month: month, day: day))
    }

    private static func revalue(
        _ month: String, on ledger: Ledger, _ key: String = UUID().uuidString
    ) async throws -> Answer<RevaluationBooked> {
        let act = try await ledger.revaluations.revaluation(
            of: dollar, in: .named(month), seoul, key: .named(key))
        return try await ledger.submit(try #require(act))
    }

    /// What an account had by entries that are effective before a moment.
    private static func balance(_ account: String, before end: Date, _ test: TestLedger) async throws -> Int64 {
        try await test.number(
            """
            SELECT coalesce(sum(CASE posting.side WHEN account.normal_side THEN amount ELSE -amount END), 0)::bigint
            FROM account JOIN posting ON posting.account_id = account.id
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            WHERE account.code LIKE '\(account)/%' AND entry.effective_at < '\(end.formatted(.iso8601))'
            """)
    }

    @Test(arguments: Effort.seeds(upTo: 3))
    func `each month's revaluation is the worth of what is open at its last rate, and is taken back`(
        _ seed: UInt64
    ) async throws {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: seed)
            try await ledger.publish("1387.40")
            var rates: [Rate] = []
            for month in Int64(1)...3 {
                let cents = Int64.random(in: 100_000...180_000, using: &random)
                rates.append(try await ledger.publish("\(cents / 100).\(cents % 100 + 100)", on: Self.day(month, 27)))
            }
            // Of the next month.
            try await ledger.publish("1500", on: Self.day(4, 1))
            // The books begin with won.
            _ = try await ledger.credit(.sample(900))
            var moves: [(at: Date, paid: Int64, won: Int64)] = []
            for number in 1...Effort.count(20, upTo: 200) {
                // The first that is credited is not the first that was paid.
                let month = number <= 2 ? 5 - 2 * Int64(number) : Int64.random(in: 1...3, using: &random)
                let start = CivilMonth.named("2026-0\(month)").start(in: seoul)
                let paidAt = start + Double(Int64.random(in: 0..<27 * 86_400, using: &random))
                let rate = try #require(
                    try await ledger.rates.find(ofPaymentIn: Self.dollar, paidAt: paidAt, in: seoul))
                let paid = Int64.random(in: 99...100_000, using: &random)
                let sold = try await ledger.buy(
                    .sample(
                        number, by: ["ann", "bob"].randomElement(using: &random) ?? "ann",
                        payment: .sampleAtPlay(number), paying: paid, at: rate, paidAt: paidAt))
                moves.append((paidAt, paid, sold.amount))
                guard Bool.random(using: &random) else { continue }
                let payout = "2026-0\(month + 1)-15"
                var file = EarningsFile()
                let cents = paid % 100
                file.add(
                    sure(sold.payment.merchantPaymentID), "Charge", "\(sold.amount + 5)", buyer: "USD",
                    paid: "\(paid / 100).\(cents < 10 ? "0" : "")\(cents)")
                let report = try await ledger.settlements.book(try file.draft(paidOutOn: payout), by: "finance")
                #expect(report.settledNow == 1)
                let paidOutAt = CivilMonth.named("2026-0\(month + 1)").start(in: seoul) + 14 * 86_400
                moves.append((paidOutAt, -paid, -sold.amount))
            }
            for (rate, name) in zip(rates, ["2026-01", "2026-02", "2026-03"]) {
                let month = CivilMonth.named(name)
                let end = month.next.start(in: seoul)
                let missing = try await ledger.revaluations.missing(until: end, in: seoul, limit: 10)
                let answer = try await Self.revalue(name, on: ledger)
                guard case .done(let booked) = answer.outcome else {
                    Issue.record("\(answer)")
                    return
                }
                let revaluation = try #require(try await ledger.revaluations.find(booked.revaluationID))
                let known = moves.filter { $0.at < end }
                let (open, carried) = (known.reduce(0) { $0 + $1.paid }, known.reduce(0) { $0 + $1.won })
                let worth = try #require(rate.worth(of: open))
                let basis = revaluation.basis
                #expect([basis.open, basis.carried, basis.worth] == [open, carried, worth])
                var now = MissingRevaluation(currency: Self.dollar, month: month, open: open, carried: carried)
                now.rate = rate
                #expect(missing == [now] && now.worth == worth)
                #expect(basis.rateID == rate.id && basis.amount == worth - carried)
                #expect(try await Self.balance("fx:clearing:USD:KRW", before: end, test) == worth)
                #expect(try await Self.balance("fx:unrealised:USD", before: end, test) == worth - carried)
                #expect(try await Self.balance("fx:unrealised:USD", before: end + 1, test) == 0)
                let again = try await Self.revalue(name, on: ledger)
                #expect(again.isRepeat, "a month is revalued once")
            }
            #expect(try await test.number("SELECT count(*) FROM revaluation") == 3)
            #expect(try await ledger.export(.revaluations).records.count == 3)
            let carried = moves.reduce(0) { $0 + $1.won }
            #expect(try await ledger.settlements.listOutstanding(limit: 10).balance == carried + 1000)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a month that runs, one before all rates and one that is closed are not revalued`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            try await ledger.publish("1400", on: Self.day(1, 31))
            _ = try await ledger.buy(.sample(1, at: rate))
            #expect(try await Self.revalue("2099-01", on: ledger).outcome == .refused(.monthNotOver))
            let before = try await ledger.revaluations.revaluation(
                of: Self.dollar, in: .named("2025-11"), seoul, key: .named("k"))
            #expect(before == nil)
            let end = CivilMonth.named("2026-02").start(in: seoul)
            _ = try await ledger.periods.close(until: end, by: "kim")
            // That the month has no rate is no matter by then.
            for month in ["2025-11", "2026-01"] {
                #expect(try await Self.revalue(month, on: ledger).outcome == .refused(.monthClosed(until: end)))
            }
            #expect(try await test.number("SELECT count(*) FROM revaluation") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `both entries of a revaluation are events that tell of it`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, at: rate))
            try await ledger.publish("1400", on: Self.day(1, 25))
            _ = try await Self.revalue("2026-01", on: ledger)
            try await ledger.events.publisher.publish()
            let told = try await ledger.events.everything().suffix(2)
            #expect(told.map(\.type) == [.revaluationBooked, .revaluationBooked])
            let booked = try #require(try await ledger.revaluations.list(limit: 2).elements.first)
            for event in told {
                guard case .revaluation(let published)? = event.entry?.fact else {
                    Issue.record("\(event)")
                    continue
                }
                #expect(published == booked)
            }
            #expect(told.map { $0.entry?.id } == [booked.journalEntryID, booked.reversalEntryID])
            try await Audit.expectSound(test)
        }
    }

    @Test func `a revaluation of other won than were measured, or without its entries, is refused`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, at: rate))
            try await ledger.publish("1400", on: Self.day(1, 25))
            let service = try await test.connectAsService()
            let basis = try await Self.basis(on: service)
            #expect(basis.open == 99 && basis.carried == 1374 && basis.worth == 1386)
            for (amount, constraint) in [(Int64(0), "revaluation_fits_basis"), (12, "revaluation_with_entries")] {
                let error = await service.refusal(
                    of: """
                        INSERT INTO revaluation (id, currency, month, basis_id, amount, revalued_by, recorded_at)
                        VALUES (900001, 'USD', '2026-01', \(basis.id), \(amount), 'kim', clock_timestamp())
                        """)
                #expect(error?.constraint == constraint, "\(amount): \(error?.description ?? "was done")")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [(24, false), (25, true), (31, true)] as [(Int64, Bool)])
    func `a month's rate is of its last seven days`(_ day: Int64, _ isOfItsEnd: Bool) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, at: try await ledger.publish("1387.40")))
            let rate = try await ledger.publish("1400", on: Self.day(1, day))
            let act = try await ledger.revaluations.revaluation(
                of: Self.dollar, in: .named("2026-01"), seoul, key: .named("k"))
            #expect((act != nil) == isOfItsEnd)
            let missing = try await ledger.revaluations.missing(until: Self.january.endsAt, in: seoul, limit: 2)
            #expect(missing.map(\.rate) == [isOfItsEnd ? rate : nil])
            let service = try await test.connectAsService()
            let error = await service.refusal(
                of: "INSERT INTO revaluation_basis (currency, month, zone) VALUES ('USD', '2026-01', 'GMT')")
            #expect(error?.constraint == (isOfItsEnd ? nil : "revaluation_basis_has_rate"))
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `what is booked or published after the act was made is in the revaluation`() async throws {
        try await TestLedger.with { ledger, test in
            let first = try await ledger.publish("1387.40")
            try await ledger.publish("1400", on: Self.day(1, 31))
            let made = try await ledger.revaluations.revaluation(
                of: Self.dollar, in: .named("2026-01"), seoul, key: .named("k"))
            let act = try #require(made)
            _ = try await ledger.buy(.sample(1, at: first))
            let last = try await ledger.publish("1410", on: Self.day(1, 31))
            let found = try await ledger.revaluations.missing(until: Self.january.endsAt, in: seoul, limit: 2)
            let missing = try #require(found.first)
            #expect(missing.open == 99 && missing.carried == 1374 && missing.rate == last && missing.worth == 1396)
            // Of the next month: in the books, and not in the revaluation.
            _ = try await ledger.buy(.sample(2, at: last, paidAt: Self.january.endsAt))
            _ = try await ledger.submit(act)
            let basis = try #require(try await ledger.revaluations.list(limit: 2).elements.first?.basis)
            #expect([basis.rateID, basis.open, basis.carried, basis.worth] == [last.id, 99, 1374, 1396])
            #expect(basis.rateDay == last.day && basis.quotation == last.quotation)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: ["a payment", "a rate"])
    func `what changed after it was measured is refused when it is written`(_ change: String) async throws {
        try await TestLedger.with { ledger, test in
            let first = try await ledger.publish("1387.40")
            try await ledger.publish("1400", on: Self.day(1, 31))
            let service = try await test.connectAsService()
            let basis = try await Self.basis(on: service)
            if change == "a rate" {
                try await ledger.publish("1410", on: Self.day(1, 31))
            } else {
                _ = try await ledger.buy(.sample(1, at: first))
            }
            let insert = """
                INSERT INTO revaluation (id, currency, month, basis_id, amount, revalued_by, recorded_at)
                VALUES (900001, 'USD', '2026-01', \(basis.id), 0, 'kim', clock_timestamp())
                """
            let error = await service.refusal(of: insert)
            #expect(error?.constraint == "revaluation_still_fits" && error?.remedy == .replay)
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `no rate is published while a revaluation is booked`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.publish("1387.40", on: Self.day(1, 31))
            let (service, publisher) = (try await test.connectAsService(), try await test.connectAsService())
            let isFree = PostgresQuery<Bool>.one(
                "SELECT pg_try_advisory_xact_lock(hashtextextended('USD', 7810759524207391845))")
            try await service.execute("BEGIN")
            #expect(try await service.run(RevaluationBasis.measure(Self.january)) != nil)
            #expect(try await publisher.run(isFree) == false)
            try await service.execute("COMMIT")
            #expect(try await publisher.run(isFree))
            await service.close()
            await publisher.close()
        }
    }
}
