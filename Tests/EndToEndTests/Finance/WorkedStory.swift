import EndToEndSupport
import Foundation
import LedgerTestSupport
import TestSupport

@testable import Ledger

/// What a worked page of docs/ tells, as it happens: act by act, each on its day of 2026 in Seoul.
struct WorkedStory {
    let ledger: Ledger
    let clock: TestClock

    /// Tells it in a fresh ledger, from its first day to the morning after its last.
    ///
    /// - Parameters:
    ///   - last: its last day; 1 is the 1st of January.
    ///   - vat: what VAT the ledger books.
    static func pass(
        in house: House, through last: Int, vat: VATSettings = .off, _ tell: (WorkedStory) async throws -> Void
    ) async throws {
        let clock = try await TestClock(in: house.ledger, at: day(1))
        // One writer and one act at a time: the same ids whenever it is done.
        let ledger = try await house.ledger.open(writers: 1, vat: vat)
        try await tell(WorkedStory(ledger: ledger, clock: clock))
        try await clock.set(to: day(last + 1, hour: 9))
        await ledger.close()
    }

    static func day(_ day: Int, hour: Int = 0) -> Date {
        // 2026-01-01 in Seoul.
        Date(timeIntervalSince1970: 1_767_193_200 + Double(day - 1) * 86_400 + Double(hour) * 3600)
    }

    func buy(
        _ name: String, _ user: UserID, day: Int, won: Int64, coins count: Int64, bonus: Int64 = 0,
        expiresOn: Int? = nil
    ) async throws -> Purchase {
        try await clock.set(to: Self.day(day, hour: 12))
        return try await credit(
            name, user, paidAt: Self.day(day, hour: 10), won: won, coins: count, bonus: bonus,
            expiresAt: expiresOn.map { Self.day($0) })
    }

    func credit(
        _ name: String, _ user: UserID, paidAt: Date, won: Int64, coins count: Int64, bonus: Int64 = 0,
        expiresAt: Date? = nil
    ) async throws -> Purchase {
        let command = CreditPurchase(
            user: user,
            payment: PaymentIdentity(gateway: "portone-v1", paymentID: "imp_\(name)", merchantUID: "order-\(name)"),
            product: "coins_\(count)", price: sure(Price(won: won)), coins: coins(count), bonusCoins: Coins(bonus),
            paidAt: paidAt, expiresAt: expiresAt.map { CoinExpiry(at: $0) })
        return try done(try await ledger.submit(command).outcome).purchase
    }

    /// Does the act at noon of the day.
    @discardableResult
    func act<A: Act>(_ day: Int, _ act: A) async throws -> A.Success {
        try await clock.set(to: Self.day(day, hour: 12))
        return try done(try await ledger.submit(act).outcome)
    }

    /// Coins of the user are held on one day; on the next, the provider gets some, and the others return.
    @discardableResult
    func capture(
        _ day: Int, _ name: String, of user: UserID, held: Int64, taken: Int64, for provider: UserID
    ) async throws -> Redemption {
        let placed = try await act(
            day - 1,
            PlaceHold(
                idempotencyKey: key("hold \(name)"), user: user, coins: coins(held), timeout: 172_800,
                reference: name))
        let captured = try await act(
            day,
            CaptureHold(
                idempotencyKey: key("capture \(name)"), user: user, holdID: placed.hold.id, coins: coins(taken),
                provider: provider, isFinal: true))
        return Redemption(
            id: captured.journalEntryID, act: .capture(holdID: placed.hold.id), user: user, provider: provider,
            share: captured.share, left: captured.lots)
    }

    /// Books the gateway's settlement of a day.
    func settle(_ day: Int, _ payouts: [GatewayPayout]) async throws {
        try await clock.set(to: Self.day(day, hour: 12))
        let name = "settled-\(Self.date(day)).csv"
        let report = try await ledger.settlements.book(.of(payouts, named: name), by: "finance")
        guard report.settledNow == payouts.count else { throw Unexpected() }
    }

    func payout(_ name: String, _ gross: Int64, _ fee: Int64, _ tax: Int64, _ day: Int) -> GatewayPayout {
        GatewayPayout("order-\(name)", gross: gross, fee: fee, tax: tax, on: Self.date(day))
    }

    private static func date(_ day: Int) -> String {
        Self.day(day, hour: 12).formatted(.iso8601.year().month().day())
    }

    func done<Success>(_ outcome: Outcome<Success>) throws -> Success {
        switch outcome {
        case .done(let success): return success
        case .refused(let refusal): throw Unexpected(refusal: refusal)
        }
    }

    func coins(_ count: Int64) -> Coins { sure(Coins(count)) }
    func key(_ text: String) -> CallerKey { .named(text) }

    /// It did not go as the page says.
    struct Unexpected: Error { var refusal: Refusal? }
}
