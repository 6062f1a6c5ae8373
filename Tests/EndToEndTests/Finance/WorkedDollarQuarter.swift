import CivilTime
import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import TestSupport

/// The quarter of docs/worked-dollar-quarter.md: sales in dollars, a payout and a refund, and three ends of months.
struct WorkedDollarQuarter {
    private let story: WorkedStory

    private static let dollar = ForeignCurrency.named("USD")
    private static let seoul = sure(TimeZone(identifier: "Asia/Seoul"))

    /// Has the quarter pass in the books, to the morning after its last revaluation.
    static func pass(in house: House) async throws {
        try await WorkedStory.pass(in: house, through: 91) { try await WorkedDollarQuarter(story: $0).pass() }
    }

    private func pass() async throws {
        let first = try await publish("1387.40", on: 1, .january(1))
        let (ann, cho) = (PaymentIdentity.sampleAtPlay(1), PaymentIdentity.sampleAtPlay(2))
        try await buy(5, "ann", ann, at: first)
        try await buy(8, "bob", .sampleInStore(1), at: first)
        try await story.act(
            12, Spend(idempotencyKey: story.key("spend"), user: .named("ann"), coins: story.coins(500)))
        let second = try await publish("1400.00", on: 31, .january(31))
        try await revalue("2026-01", on: 33)
        // February
        try await buy(34, "cho", cho, at: second)
        try await payOut(ann, on: 46)
        try await story.act(51, ClawBack(user: .named("cho"), payment: cho, cancelledAmount: 999))
        try await publish("1372.50", on: 59, sure(CivilDate(year: 2026, month: 2, day: 28)))
        try await revalue("2026-02", on: 61)
        // March
        try await publish("1380.20", on: 90, sure(CivilDate(year: 2026, month: 3, day: 31)))
        try await revalue("2026-03", on: 91)
    }

    @discardableResult
    private func publish(_ rate: String, on day: Int, _ date: CivilDate) async throws -> Rate {
        try await story.clock.set(to: WorkedStory.day(day, hour: 18))
        return try await story.ledger.publish(rate, on: date)
    }

    private func buy(_ day: Int, _ user: String, _ payment: PaymentIdentity, at rate: Rate) async throws {
        try await story.act(
            day,
            CreditPurchase.sample(
                by: user, payment: payment, paying: 999, at: rate, coins: 1000,
                paidAt: WorkedStory.day(day, hour: 10)))
    }

    /// Google pays in won, at a rate of its own.
    private func payOut(_ payment: PaymentIdentity, on day: Int) async throws {
        try await story.clock.set(to: WorkedStory.day(day, hour: 12))
        var earnings = EarningsFile()
        let order = sure(payment.merchantPaymentID)
        earnings.add(order, "Charge", "13906", on: "Jan 5, 2026", buyer: "USD", paid: "9.99")
        earnings.add(order, "Google fee", "-2086", on: "Jan 5, 2026", buyer: "USD", paid: "-1.50")
        let report = try await story.ledger.settlements.book(
            try earnings.draft(paidOutOn: "2026-02-15"), by: "finance")
        guard report.settledNow == 1 else { throw WorkedStory.Unexpected() }
    }

    private func revalue(_ month: String, on day: Int) async throws {
        try await story.clock.set(to: WorkedStory.day(day, hour: 12))
        let act = try await story.ledger.revaluations.revaluation(
            of: Self.dollar, in: sure(CivilMonth(month)), Self.seoul, key: story.key("revaluation \(month)"))
        try await story.act(day, sure(act))
    }
}

extension CivilDate {
    fileprivate static func january(_ day: Int64) -> CivilDate { sure(CivilDate(year: 2026, month: 1, day: day)) }
}
