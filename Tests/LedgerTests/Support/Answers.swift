import LedgerTestSupport

@testable import Ledger

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
    var clawBackReversed: ClawBackReversed? { success() }
    var begun: Refund? { (success() as RefundBegun?)?.refund }
    var decided: RefundDecided? { success() }
    var paidRefund: RefundPaid? { success() }
    var reversedRefund: RefundReversed? { success() }
    var paidByBank: DebtPaidByBank? { success() }
    var writtenOff: DebtWrittenOff? { success() }
    var disputed: DisputeRecorded? { success() }

    private func success<Success: Sendable & Equatable>() -> Success? { (self as? Answer<Success>)?.success }
}

extension Answer {
    /// What was done, of an answer whose act is known.
    var success: Success? { if case .done(let success) = outcome { success } else { nil } }
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
