import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import TestSupport

/// The month of docs/worked-month.md, as it happens: act by act, each on its day.
struct WorkedMonth {
    private let gateway: Gateway
    private let ledger: Ledger
    private let clock: TestClock

    private let ann = sure(UserID(rawValue: "ann"))
    private let bob = sure(UserID(rawValue: "bob"))
    private let cho = sure(UserID(rawValue: "cho"))

    /// Has the month pass at the gateway and in the books, to the morning after it.
    static func pass(in house: House, _ gateway: Gateway) async throws {
        let clock = try await TestClock(in: house.ledger, at: day(1))
        // One writer and one act at a time: the same ids whenever it is done.
        let ledger = try await house.ledger.open(writers: 1)
        try await WorkedMonth(gateway: gateway, ledger: ledger, clock: clock).pass()
        try await clock.set(to: day(32, hour: 9))
        await ledger.close()
    }

    private static func day(_ day: Int, hour: Int = 0) -> Date {
        // 2026-01-01 in Seoul.
        Date(timeIntervalSince1970: 1_767_193_200 + Double(day - 1) * 86_400 + Double(hour) * 3600)
    }

    private func pass() async throws {
        try await payAtGateway()
        let a = try await buy("A", ann, day: 5, won: 3000, coins: 300, bonus: 30)
        let b = try await buy("B", bob, day: 6, won: 1000, coins: 100)
        _ = try await buy("C", cho, day: 8, won: 1000, coins: 100, expiresOn: 22)
        try await act(
            9, Grant(idempotencyKey: key("grant"), user: bob, coins: coins(5), reason: "welcome"))
        try await act(10, Spend(idempotencyKey: key("spend-1"), user: ann, coins: coins(50)))
        try await act(12, Spend(idempotencyKey: key("spend-2"), user: cho, coins: coins(60)))
        try await meetDana()
        try await act(15, Spend(idempotencyKey: key("spend-3"), user: bob, coins: coins(65)))
        try await giveBack(a)
        try await settle(19, [payout("A", 3000, 90, 9, 19), payout("B", 1000, 30, 3, 19)])
        try await act(21, ClawBack(user: bob, payment: b.payment, cancelledAmount: 1000))
        try await expire(22)
        try await settle(26, [payout("A", -810, 0, 0, 26)])
        // Paid in the month's last seconds, presented after it.
        let end = Self.day(32)
        try await clock.set(to: end + 2)
        _ = try await credit("E", sure(UserID(rawValue: "eun")), paidAt: end - 2, won: 500, coins: 50)
    }

    /// What the gateway will say of the month: D is nobody's.
    private func payAtGateway() async throws {
        let payments = [
            ("A", 3000, 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 810"#),
            ("B", 1000, 6, #", "status": "CANCELLED""#), ("C", 1000, 8, ""), ("D", 1000, 18, ""), ("E", 500, 31, ""),
        ]
        for (name, amount, day, more) in payments {
            let paidAt = Int((name == "E" ? Self.day(32) - 2 : Self.day(day, hour: 10)).timeIntervalSince1970)
            try await gateway.control(
                """
                {"imp_uid": "imp_\(name)", "merchant_uid": "order-\(name)", "amount": \(amount), "version": "V1",
                 "started_at": \(paidAt), "paid_at": \(paidAt)\(more)}
                """)
        }
    }

    private func buy(
        _ name: String, _ user: UserID, day: Int, won: Int64, coins count: Int64, bonus: Int64 = 0,
        expiresOn: Int? = nil
    ) async throws -> Purchase {
        try await clock.set(to: Self.day(day, hour: 12))
        return try await credit(
            name, user, paidAt: Self.day(day, hour: 10), won: won, coins: count, bonus: bonus,
            expiresAt: expiresOn.map { Self.day($0) })
    }

    private func credit(
        _ name: String, _ user: UserID, paidAt: Date, won: Int64, coins count: Int64, bonus: Int64 = 0,
        expiresAt: Date? = nil
    ) async throws -> Purchase {
        let command = CreditPurchase(
            user: user,
            payment: PaymentIdentity(gateway: "portone-v1", impUID: "imp_\(name)", merchantUID: "order-\(name)"),
            product: "coins_\(count)", price: sure(Price(won: won)), coins: coins(count), bonusCoins: Coins(bonus),
            paidAt: paidAt, expiresAt: expiresAt)
        guard case .done(let credited) = try await ledger.submit(command).outcome else {
            throw Unexpected()
        }
        return credited.purchase
    }

    /// 80 coins are set aside for an hour of Dana's; she takes 70 and needs no more.
    private func meetDana() async throws {
        let command = PlaceHold(
            idempotencyKey: key("hold"), user: ann, coins: coins(80), timeout: 172_800, reference: "session-7")
        let placed = try await act(13, command)
        try await act(
            14,
            CaptureHold(
                idempotencyKey: key("capture"), user: ann, holdID: placed.hold.id, coins: coins(70),
                provider: UserID(rawValue: "dana"), isFinal: true))
    }

    private func giveBack(_ purchase: Purchase) async throws {
        let command = BeginRefund(
            idempotencyKey: key("refund"), user: ann, purchaseID: purchase.id, coins: coins(100),
            explanation: "bought too many", policy: RefundPolicy(feePercent: 10))
        let begun = try await act(16, command)
        try await act(
            16,
            CompleteRefund(user: ann, refundID: begun.refund.id, cancelledAt: Self.day(16, hour: 12)))
    }

    private func settle(_ day: Int, _ payouts: [GatewayPayout]) async throws {
        try await clock.set(to: Self.day(day, hour: 12))
        let report = try await ledger.settlements.book(.of(payouts, named: "payouts-2026-01-\(day).csv"), by: "finance")
        guard report.settledNow == payouts.count else { throw Unexpected() }
    }

    private func payout(_ name: String, _ gross: Int64, _ fee: Int64, _ tax: Int64, _ day: Int) -> GatewayPayout {
        GatewayPayout("order-\(name)", gross: gross, fee: fee, tax: tax, on: "2026-01-\(day)")
    }

    private func expire(_ day: Int) async throws {
        try await clock.set(to: Self.day(day, hour: 12))
        let due = try await ledger.lots.listDue(limit: 10)
        guard due.count == 1 else { throw Unexpected() }
        for lot in due { try await act(day, ExpireLot(user: lot.user, lotID: lot.id)) }
    }

    @discardableResult
    private func act<A: Act>(_ day: Int, _ act: A) async throws -> A.Success {
        try await clock.set(to: Self.day(day, hour: 12))
        switch try await ledger.submit(act).outcome {
        case .done(let success): return success
        case .refused(let refusal): throw Unexpected(refusal: refusal)
        }
    }

    private func coins(_ count: Int64) -> Coins { sure(Coins(count)) }
    private func key(_ text: String) -> CallerKey {
        sure(CallerKey(text, of: sure(UserID(rawValue: "shop"))))
    }

    /// The month did not go as it is told.
    private struct Unexpected: Error { var refusal: Refusal? }
}
