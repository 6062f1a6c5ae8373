import Ledger
import LedgerWire

/// What finance does with payouts to providers.
struct PayoutActs: Sendable {
    let ledger: Ledger

    private var payouts: Payouts { ledger.payouts }

    /// - Throws: ``RefusedAct``.
    func find(_ id: Int64) async throws -> Payout {
        guard let payout = try await payouts.find(id) else { throw RefusedAct(.noSuchPayout) }
        return payout
    }

    /// Refuses a list of providers that no payout can have; nil: all.
    static func check(_ providers: [UserID]?) throws(InputFault) {
        guard let providers, !(1...PayoutRequest.mostProviders).contains(providers.count) else { return }
        throw InputFault(field: "providers", rule: "must have 1 to \(PayoutRequest.mostProviders) ids")
    }

    /// Proposes to pay what is owed at the cut-off.
    func propose(_ draft: PayoutDraft) async throws -> Payouts.Proposal { try await payouts.propose(draft) }

    /// Approves a payout that another person proposed.
    func approve(_ id: Int64, by person: String) async throws -> Payouts.Decided {
        try await payouts.approve(id, by: person)
    }

    /// Withdraws a payout that is not paid: its captures are free for the next one.
    func withdraw(_ id: Int64, because reason: String?, by person: String) async throws -> Payouts.Decided {
        try await payouts.withdraw(id, by: person, because: reason)
    }

    /// The bank has paid it.
    ///
    /// The ledger refuses one that is dated in the future, or too early.
    func pay(_ id: Int64, _ payment: BankPayment, under key: CallerKey) async throws -> Performed<Payout> {
        let act = try await payouts.payment(
            of: id, key: key, paidAt: payment.paidAt, bankReference: payment.reference)
        guard let act else { throw RefusedAct(.noSuchPayout) }
        let performed = try await ledger.perform(act)
        return Performed(success: try await find(id), isRepeat: performed.isRepeat)
    }
}
