import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import TestSupport

/// The month of docs/worked-month.md.
struct WorkedMonth {
    private let gateway: Gateway
    private let story: WorkedStory

    private let ann = UserID.named("ann")
    private let bob = UserID.named("bob")
    private let cho = UserID.named("cho")

    /// Has the month pass at the gateway and in the books, to the morning after it.
    static func pass(in house: House, _ gateway: Gateway) async throws {
        try await WorkedStory.pass(in: house, through: 31) { story in
            try await WorkedMonth(gateway: gateway, story: story).pass()
        }
    }

    private func pass() async throws {
        try await payAtGateway()
        let a = try await story.buy("A", ann, day: 5, won: 3000, coins: 300, bonus: 30)
        let b = try await story.buy("B", bob, day: 6, won: 1000, coins: 100)
        _ = try await story.buy("C", cho, day: 8, won: 1000, coins: 100, expiresOn: 22)
        try await story.act(
            9,
            Grant(idempotencyKey: story.key("grant"), user: bob, coins: story.coins(5), reason: "welcome"))
        try await spend(10, "spend-1", ann, 50)
        try await spend(12, "spend-2", cho, 60)
        // 80 coins are set aside for an hour of Dana's; she takes 70 and needs no more.
        try await story.capture(14, "session-7", of: ann, held: 80, taken: 70, for: .named("dana"))
        try await spend(15, "spend-3", bob, 65)
        try await giveBack(a)
        try await story.settle(19, [story.payout("A", 3000, 90, 9, 19), story.payout("B", 1000, 30, 3, 19)])
        try await story.act(21, ClawBack(user: bob, payment: b.payment, cancelledAmount: 1000))
        try await expire(22)
        try await story.settle(26, [story.payout("A", -810, 0, 0, 26)])
        // Paid in the month's last seconds, presented after it.
        let end = WorkedStory.day(32)
        try await story.clock.set(to: end + 2)
        _ = try await story.credit("E", .named("eun"), paidAt: end - 2, won: 500, coins: 50)
    }

    /// What the gateway will say of the month: D is nobody's.
    private func payAtGateway() async throws {
        let payments = [
            ("A", 3000, 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 810"#),
            ("B", 1000, 6, #", "status": "CANCELLED""#), ("C", 1000, 8, ""), ("D", 1000, 18, ""), ("E", 500, 31, ""),
        ]
        for (name, amount, day, more) in payments {
            let paidAt = Int(
                (name == "E" ? WorkedStory.day(32) - 2 : WorkedStory.day(day, hour: 10)).timeIntervalSince1970)
            try await gateway.control(
                """
                {"imp_uid": "imp_\(name)", "merchant_uid": "order-\(name)", "amount": \(amount), "version": "V1",
                 "started_at": \(paidAt), "paid_at": \(paidAt)\(more)}
                """)
        }
    }

    private func spend(_ day: Int, _ key: String, _ user: UserID, _ coins: Int64) async throws {
        try await story.act(day, Spend(idempotencyKey: story.key(key), user: user, coins: story.coins(coins)))
    }

    private func giveBack(_ purchase: Purchase) async throws {
        let begun = try await story.act(
            16,
            BeginRefund(
                idempotencyKey: story.key("refund"), user: ann, purchaseID: purchase.id, coins: story.coins(100),
                explanation: "bought too many", policy: RefundPolicy(feePercent: 10)))
        try await story.act(
            16, CompleteRefund(user: ann, refundID: begun.refund.id, cancelledAt: WorkedStory.day(16, hour: 12)))
    }

    private func expire(_ day: Int) async throws {
        try await story.clock.set(to: WorkedStory.day(day, hour: 12))
        let due = try await story.ledger.lots.listDue(limit: 10)
        guard due.count == 1 else { throw WorkedStory.Unexpected() }
        for lot in due { try await story.act(day, ExpireLot(user: lot.user, lotID: lot.id)) }
    }
}
