import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import TestSupport

/// The quarter of docs/worked-quarter.md: VAT, a provider with terms, a dispute, and money past the gateway.
struct WorkedQuarter {
    private let story: WorkedStory

    private let ann = UserID.named("ann")
    private let bob = UserID.named("bob")
    private let dana = UserID.named("dana")

    /// Has the quarter pass in the books, to the morning after it.
    static func pass(in house: House) async throws {
        try await WorkedStory.pass(in: house, through: 90, vat: .on) { try await WorkedQuarter(story: $0).pass() }
    }

    private func pass() async throws {
        try await haveTerms()
        // January
        let a = try await story.buy("A", ann, day: 5, won: 330_000, coins: 30_000)
        try await spend(12, "spend-1", ann, 10_000)
        let captured = try await story.capture(14, "portrait-1", of: ann, held: 10_000, taken: 10_000, for: dana)
        try await story.settle(19, [story.payout("A", 330_000, 10_000, 1000, 19)])
        // February
        let b = try await story.buy("B", bob, day: 34, won: 220_000, coins: 20_000)
        try await spend(36, "spend-2", bob, 5000)
        let dispute = try await story.act(
            40,
            RecordDispute(
                user: bob, payment: b.payment,
                dispute: ReportedDispute(
                    gatewayID: "dispute-1", openedAt: WorkedStory.day(40, hour: 11), reason: "not mine",
                    isResolved: false),
                freezes: true)
        ).dispute
        try await story.settle(44, [story.payout("B", 220_000, 7000, 700, 44)])
        try await story.act(
            47,
            ReverseRedemption(
                idempotencyKey: story.key("reversal"), of: captured, coins: story.coins(2000),
                reason: "a fifth of a portrait"))
        try await story.act(
            54,
            DecideDispute(
                idempotencyKey: story.key("decision"), user: bob, purchaseID: b.id, disputeID: dispute.id, isWon: false,
                explanation: "the acquirer's letter"))
        try await story.act(
            58,
            PayDebtByBank(
                idempotencyKey: story.key("paid"), user: bob, price: sure(Price(won: 55_000)),
                paidAt: WorkedStory.day(58, hour: 11), bankReference: "KB 0227"))
        // March
        try await story.settle(62, [story.payout("B", -220_000, 0, 0, 62)])
        try await payOut(65)
        try await refund(a, 79)
    }

    private func haveTerms() async throws {
        try await story.clock.set(to: WorkedStory.day(2, hour: 12))
        _ = try await story.ledger.providers.setTerms(
            ProviderTermsDraft(provider: dana, share: 8000, role: .agent, withholding: .businessIncome),
            standardWithholding: .none, by: "finance")
    }

    private func spend(_ day: Int, _ key: String, _ user: UserID, _ coins: Int64) async throws {
        try await story.act(day, Spend(idempotencyKey: story.key(key), user: user, coins: story.coins(coins)))
    }

    /// Dana's share is proposed by one person, approved by another, and paid by the bank.
    private func payOut(_ day: Int) async throws {
        try await story.clock.set(to: WorkedStory.day(day, hour: 9))
        let payouts = story.ledger.payouts
        guard case .proposed(let payout) = try await payouts.propose(PayoutDraft(key: story.key("payout"))),
            case .done = try await payouts.approve(payout.id, by: "lee"),
            let payment = try await payouts.payment(
                of: payout.id, key: story.key("payment"), paidAt: WorkedStory.day(day, hour: 11),
                bankReference: "KB 0306")
        else { throw WorkedStory.Unexpected() }
        try await story.act(day, payment)
    }

    /// Ann's card is closed: the refund goes by bank transfer, less the fee.
    private func refund(_ purchase: Purchase, _ day: Int) async throws {
        let begun = try await story.act(
            day,
            BeginRefund(
                idempotencyKey: story.key("refund"), user: ann, purchaseID: purchase.id, coins: story.coins(5000),
                explanation: "the card is closed", method: .bankTransfer, policy: RefundPolicy(feePercent: 10)))
        try await story.act(
            day + 2,
            PayRefund(
                idempotencyKey: story.key("transfer"), user: ann, refundID: begun.refund.id,
                paidAt: WorkedStory.day(day + 2, hour: 11), bankReference: "KB 0322"))
    }
}
