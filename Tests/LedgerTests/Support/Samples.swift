import Foundation
import LedgerTestSupport
import Postgres
import TestSupport

@testable import Ledger

extension UserID {
    static func named(_ name: String) -> UserID { sure(UserID(rawValue: name)) }
}

extension CreditPurchase {
    /// The purchase with this number: 100 coins and by default 10 more for ₩1,000.
    static func sample(
        _ number: Int = 1, by buyer: String = "ann", paymentID: String? = nil, merchantUID: String? = nil,
        coins: Int64 = 100, bonus: Int64 = 10, won: Int64 = 1000, expiresAt: Date? = nil, bonusExpiresAt: Date? = nil,
        vat: VATRule = .atUse, taxFree: Int64? = nil, paidAt: Date? = nil, isTimeTold: Bool = true
    ) -> CreditPurchase {
        CreditPurchase(
            user: .named(buyer),
            payment: PaymentIdentity(
                gateway: "portone-v1", paymentID: paymentID ?? "imp_\(number)",
                merchantUID: merchantUID ?? "order_\(number)"),
            product: "coins_100", price: sure(Price(won: won)), coins: sure(Coins(coins)), bonusCoins: Coins(bonus),
            paidAt: paidAt ?? Date(timeIntervalSince1970: 1_767_225_600 + Double(number)), isTimeTold: isTimeTold,
            expiresAt: expiresAt, bonusExpiresAt: bonusExpiresAt, vat: vat, taxFree: taxFree)
    }
}

extension PaymentIdentity {
    /// The payment of the purchase with this number, as V2 shows it.
    static func sampleInV2(_ number: Int = 1) -> PaymentIdentity {
        PaymentIdentity(
            gateway: "portone-v2", paymentID: "tx_\(number)", merchantUID: "order_\(number)",
            merchantPaymentID: "order_\(number)")
    }
}

extension Grant {
    /// The grant under this key: 5 coins, by default.
    static func sample(
        _ key: String = "key-1", to owner: String = "ann", coins: Int64 = 5, expiresAt: Date? = nil
    ) -> Grant {
        Grant(
            idempotencyKey: .named(key), user: .named(owner), coins: sure(Coins(coins)), reason: "welcome",
            expiresAt: expiresAt)
    }
}

extension Spend {
    /// The spend under this key.
    static func sample(_ key: String = "spend-1", by owner: String = "ann", coins: Int64) -> Spend {
        Spend(idempotencyKey: .named(key), user: .named(owner), coins: sure(Coins(coins)))
    }
}

extension PlaceHold {
    /// The hold under this key: for an hour, by default.
    static func sample(
        _ key: String = "hold-1", by owner: String = "ann", coins: Int64, timeout: Int64 = 3600
    ) -> PlaceHold {
        PlaceHold(idempotencyKey: .named(key), user: .named(owner), coins: sure(Coins(coins)), timeout: timeout)
    }
}

extension CaptureHold {
    /// The capture under this key.
    static func sample(
        _ key: String = "capture-1", of holdID: Int64, by owner: String = "ann", coins: Int64? = nil,
        provider: String? = nil, item: String? = nil, isFinal: Bool = false
    ) -> CaptureHold {
        CaptureHold(
            idempotencyKey: .named(key), user: .named(owner), holdID: holdID, coins: coins.flatMap(Coins.init),
            provider: provider.map(UserID.named), item: item, isFinal: isFinal)
    }
}

extension ReverseRedemption {
    /// The reversal under this key: of all that did not come back yet, by default.
    static func sample(
        _ key: String = "reversal-1", of redemption: Redemption?, coins: Int64? = nil, grace: Int64 = 0,
        terms: ReversalTerms = .none
    ) -> ReverseRedemption {
        ReverseRedemption(
            idempotencyKey: .named(key), of: sure(redemption), coins: coins.flatMap(Coins.init),
            reason: "not delivered", grace: grace, terms: terms)
    }
}

extension VoidHold {
    /// The voiding under this key.
    static func sample(_ key: String = "void-1", of holdID: Int64, by owner: String = "ann") -> VoidHold {
        VoidHold(idempotencyKey: .named(key), user: .named(owner), holdID: holdID)
    }
}

extension BeginRefund {
    /// The refund under this key: of all that can be given back, by default.
    static func sample(
        _ key: String = "refund-1", of purchaseID: Int64, by owner: String = "ann", coins: Int64? = nil,
        feePercent: Int64 = 0, usedBonus: UsedBonus = .charge, method: Refund.Method = .gateway,
        account: BankAccount? = nil, terms: RefundTerms = .none
    ) -> BeginRefund {
        BeginRefund(
            idempotencyKey: .named(key), user: .named(owner), purchaseID: purchaseID,
            coins: coins.flatMap(Coins.init), explanation: "changed her mind", method: method,
            account: account,
            policy: RefundPolicy(feePercent: feePercent, usedBonus: usedBonus), terms: terms)
    }
}

extension PayRefund {
    /// Finance paid it.
    static func sample(_ key: String = "payment-1", of refund: Refund, at moment: Date = Date()) -> PayRefund {
        PayRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, paidAt: moment,
            bankReference: "KB 0042")
    }
}

extension ReverseRefund {
    /// Finance could not pay it.
    static func sample(_ key: String = "undo-1", of refund: Refund, grace: Int64 = 0) -> ReverseRefund {
        ReverseRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, reason: "no such account",
            grace: grace)
    }
}

extension RepayRefund {
    /// The payer paid it back.
    static func sample(_ key: String = "repaid-1", of refund: Refund, at paidAt: Date = Date()) -> RepayRefund {
        RepayRefund(
            idempotencyKey: .named(key), user: refund.user, refundID: refund.id, paidAt: paidAt, bankReference: "KB 7")
    }
}

extension PayDebtByBank {
    /// The user paid for what was used.
    static func sample(
        _ key: String = "paid-1", by owner: String = "ann", coins: Int64? = nil, won: Int64 = 200,
        at moment: Date = Date()
    ) -> PayDebtByBank {
        PayDebtByBank(
            idempotencyKey: .named(key), user: .named(owner), coins: coins.flatMap(Coins.init),
            price: sure(Price(won: won)), paidAt: moment, bankReference: "IBK 7")
    }
}

extension WriteOffDebt {
    /// The user is gone.
    static func sample(
        _ key: String = "off-1", by owner: String = "ann", coins: Int64? = nil, owedBefore: Int64? = nil
    ) -> WriteOffDebt {
        WriteOffDebt(
            idempotencyKey: .named(key), user: .named(owner), coins: coins.flatMap(Coins.init),
            reason: "can't be reached", owedBefore: owedBefore)
    }
}

extension CompleteRefund {
    /// The gateway gave the money back.
    static func sample(_ refund: Refund) -> CompleteRefund {
        CompleteRefund(user: refund.user, refundID: refund.id, cancellationID: "cancellation-\(refund.id)")
    }
}

extension ReleaseRefund {
    /// The gateway refused.
    static func sample(_ refund: Refund) -> ReleaseRefund {
        ReleaseRefund(
            user: refund.user, refundID: refund.id,
            refusal: .init(reason: "refused_by_gateway", gatewayCode: "-1"))
    }
}

extension RecordDispute {
    /// The dispute of a purchase that began so many seconds after the payment.
    static func sample(
        of purchase: Purchase, _ number: Int = 1, isResolved: Bool = false, freezes: Bool = true
    ) -> RecordDispute {
        RecordDispute(
            user: purchase.user, payment: purchase.payment,
            dispute: ReportedDispute(
                gatewayID: "dispute-\(number)", openedAt: purchase.paidAt + Double(number), reason: "not mine",
                isResolved: isResolved),
            freezes: freezes)
    }
}

extension DecideDispute {
    /// The decision under this key.
    static func sample(_ key: String = "decision-1", on dispute: Dispute?, isWon: Bool) -> DecideDispute {
        let dispute = sure(dispute)
        return DecideDispute(
            idempotencyKey: .named(key), user: dispute.user, purchaseID: dispute.purchaseID, disputeID: dispute.id,
            isWon: isWon, explanation: "the bank says so")
    }

    /// The dispute that was looked up is won.
    static func sample(_ key: String, on found: DisputedPurchase, grace: Int64 = 0) -> DecideDispute {
        DecideDispute(
            idempotencyKey: .named(key), on: found, isWon: true, explanation: "the bank changed its mind",
            usedBonus: .charge, grace: grace)
    }
}

extension SettlementFileDraft {
    /// A statement with these rows: payment, gross, fee, tax, day.
    static func sample(
        _ rows: [(String, Int64, Int64, Int64, String)], named name: String = "a.csv"
    ) throws -> SettlementFileDraft {
        try .of(rows.map { GatewayPayout($0.0, gross: $0.1, fee: $0.2, tax: $0.3, on: $0.4) }, named: name)
    }
}

extension CallerKey {
    /// The key of this text that the caller `shop` chose.
    static func named(_ text: String) -> CallerKey { sure(CallerKey(text, of: .named("shop"))) }
}

extension AnyAnswer {
    var credited: Credited? { success() }
    var granted: Granted? { success() }
    var spent: Spent? { success() }
    var placed: HoldPlaced? { success() }
    var reversed: RedemptionReversed? { success() }
    var payoutPaid: PayoutPaid? { success() }
    var repaid: ClaimRepaid? { success() }
    /// The spend or capture, of which nothing has come back.
    var redeemed: Redemption? {
        if let spent {
            return Redemption(
                id: spent.journalEntryID, act: .spend, user: spent.balance.user, provider: nil, left: spent.lots)
        }
        guard let captured else { return nil }
        return Redemption(
            id: captured.journalEntryID, act: .capture(holdID: captured.hold.id), user: captured.hold.user,
            provider: captured.provider, share: captured.share, left: captured.lots)
    }
    var captured: HoldCaptured? { success() }
    var voided: HoldVoided? { success() }
    var expired: LotExpired? { success() }
    var paidDebt: DebtPaid? { success() }
    var clawedBack: ClawedBack? { success() }
    var refundBegun: RefundBegun? { success() }
    var begun: Refund? { refundBegun?.refund }
    var decided: RefundDecided? { success() }
    var paidRefund: RefundPaid? { success() }
    var reversedRefund: RefundReversed? { success() }
    var paidByBank: DebtPaidByBank? { success() }
    var writtenOff: DebtWrittenOff? { success() }
    var settled: Settled? { success() }
    var disputed: DisputeRecorded? { success() }

    private func success<Success: Sendable & Equatable>() -> Success? {
        guard case .done(let success)? = (self as? Answer<Success>)?.outcome else { return nil }
        return success
    }
}

extension Result where Failure == LedgerError {
    var answer: Success? { try? get() }
    var failure: LedgerError? { if case .failure(let error) = self { error } else { nil } }
}

extension Ledger {
    func credit(_ purchase: CreditPurchase) async throws -> Answer<Credited> { try await submit(purchase) }

    /// The answer to an act, whichever it is.
    func answer(to act: any Act) async throws -> any AnyAnswer {
        func submit(_ act: some Act) async throws -> any AnyAnswer { try await self.submit(act) }
        return try await submit(act)
    }

    /// The result of submitting, error or not.
    func result<A: Act>(_ act: A) async -> Result<Answer<A.Success>, LedgerError> {
        do throws(LedgerError) {
            return .success(try await submit(act))
        } catch {
            return .failure(error)
        }
    }
}
