import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport

@testable import Ledger

let seoul = sure(TimeZone(identifier: "Asia/Seoul"))

/// A ledger with a clock of its own, so that things happen in months.
struct Calendar {
    let ledger: Ledger
    let test: TestLedger
    let clock: TestClock

    /// Lends a ledger whose clock shows noon of 1 January 2026 in Seoul.
    static func with(vat: VATSettings = .off, _ body: (Calendar) async throws -> Void) async throws {
        try await TestLedger.with(at: noon("2026-01-01"), vat: vat) { ledger, test, clock in
            try await body(Calendar(ledger: ledger, test: test, clock: clock))
        }
    }

    static func noon(_ day: String) -> Date { sure(CalendarMoment.date(day + "T12:00:00+09:00", in: seoul)) }

    func go(to day: String) async throws { try await clock.set(to: Self.noon(day)) }

    /// Buys coins, paid at noon of a day.
    @discardableResult
    func buy(
        _ number: Int, by buyer: String, on day: String, coins: Int64 = 100, bonus: Int64 = 0, won: Int64 = 1000,
        until end: String? = nil
    ) async throws -> Purchase {
        let expiry = end.map(Self.noon)
        return try await ledger.buy(
            .sample(
                number, by: buyer, coins: coins, bonus: bonus, won: won, paidAt: Self.noon(day), expiresAt: expiry,
                bonusExpiresAt: expiry))
    }

    func spend(_ coins: Int64, by owner: String, _ key: String) async throws {
        _ = try await ledger.submit(Spend.sample(key, by: owner, coins: coins))
    }

    /// Posts what has expired by now.
    func expire() async throws {
        try await ledger.expireLots()
    }

    func setPolicy(
        _ method: AccountingPolicy.Method, from month: String = "2026-01"
    ) async throws
        -> Adjustments.PolicyOutcome
    {
        try await ledger.adjustments.setPolicy(method, from: .named(month), in: seoul, by: "kim")
    }

    /// Adjusts breakage.
    func adjust(_ month: String, _ key: String = UUID().uuidString) async throws -> Answer<AdjustmentBooked> {
        try await adjust(.breakage, month, key)
    }

    func adjust(
        _ subject: AccountingPolicy.Subject, _ month: String, _ key: String = UUID().uuidString
    ) async throws -> Answer<AdjustmentBooked> {
        try await ledger.submit(
            try await ledger.adjustments.adjustment(subject, of: .named(month), in: seoul, key: .named(key)))
    }

    /// The adjustment of breakage that is booked now; nil: nothing is left to book.
    func adjusted(_ month: String) async throws -> Adjustment? { try await adjusted(.breakage, month) }

    /// The adjustment that is booked now; nil: nothing is left to book.
    func adjusted(_ subject: AccountingPolicy.Subject, _ month: String) async throws -> Adjustment? {
        let answer = try await adjust(subject, month)
        guard case .done(let booked) = answer.outcome, !answer.isRepeat else { return nil }
        return try await ledger.adjustments.find(booked.adjustmentID)
    }

    func balances(_ accounts: SystemAccount...) async throws -> [Int64] {
        var found: [Int64] = []
        for account in accounts { found.append(try await test.balance(of: account)) }
        return found
    }
}

extension CivilMonth {
    static func named(_ text: String) -> CivilMonth { sure(CivilMonth(text)) }
}

extension AnyAnswer {
    var adjustmentBooked: AdjustmentBooked? {
        guard case .done(let booked)? = (self as? Answer<AdjustmentBooked>)?.outcome else { return nil }
        return booked
    }
}
