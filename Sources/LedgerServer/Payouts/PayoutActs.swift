package import Ledger
import LedgerWire

/// What finance does with payouts to providers.
package struct PayoutActs: Sendable {
    let ledger: Ledger

    private var payouts: Payouts { ledger.payouts }

    /// - Throws: ``RefusedAct``.
    package func find(_ id: Int64) async throws -> Payout {
        guard let payout = try await payouts.find(id) else { throw RefusedAct(.noSuchPayout) }
        return payout
    }

    /// Refuses a list of providers that no payout can have; nil: all.
    package static func check(_ providers: [UserID]?) throws(InputFault) {
        guard let providers, !(1...PayoutRequest.mostProviders).contains(providers.count) else { return }
        throw InputFault("providers", "must have 1 to \(PayoutRequest.mostProviders) ids")
    }

    /// Proposes to pay what is owed at the cut-off.
    ///
    /// - Throws: ``InputFault``; `nothing_owed`; `idempotency_key_reused`.
    package func propose(_ draft: PayoutDraft) async throws -> Performed<Payout> {
        try Self.check(draft.providers)
        switch try await payouts.propose(draft) {
        case .proposed(let payout): return Performed(success: payout, isRepeat: false)
        case .repeated(let payout): return Performed(success: payout, isRepeat: true)
        case .reused(let at): throw Problem.keyReused(for: "payout", at: at)
        case .nothingOwed: throw Problem(.nothingOwed)
        case .notOver: throw InputFault("cut_off", "must not be in the future")
        }
    }

    /// Approves a payout that another person proposed.
    ///
    /// - Parameters:
    ///   - person: the caller.
    ///   - name: the person's name, for people; nil: it is not known.
    /// - Throws: `approval_by_proposer`; `payout_status_conflict`; ``RefusedAct``.
    package func approve(_ id: Int64, by person: String, named name: String? = nil) async throws -> Payout {
        try Self.payout(after: try await payouts.approve(id, by: person, named: name))
    }

    /// Withdraws a payout that is not paid: its captures are free for the next one.
    ///
    /// - Throws: `payout_status_conflict`; ``RefusedAct``.
    package func withdraw(_ id: Int64, because reason: String?, by person: String) async throws -> Payout {
        try Self.payout(after: try await payouts.withdraw(id, by: person, because: reason))
    }

    private static func payout(after decided: Payouts.Decided) throws -> Payout {
        switch decided {
        case .done(let payout): return payout
        case .refused(let status): throw Problem(.payoutStatusConflict, status)
        case .ownProposal: throw Problem(.approvalByProposer, "another person than the proposer must approve it")
        case .notFound: throw RefusedAct(.noSuchPayout)
        }
    }

    /// The bank accounts for a payout's file: those in force of its providers, and those of a list for providers of whom none
    /// was ever approved.
    ///
    /// - Throws: `invalid_request` for a list with another account of a provider of whom one was approved; ``RefusedAct``.
    package func accounts(of id: Int64, and list: PayoutAccounts?) async throws -> PayoutAccounts {
        _ = try await find(id)
        switch try await payouts.accounts(of: id, and: list) {
        case .success(let accounts): return accounts
        case .failure(let differ): throw differ.problem
        }
    }

    /// The CSV for the bank.
    ///
    /// - Parameter accounts: the providers' bank accounts, of ``accounts(of:and:)``; nil: without accounts.
    /// - Throws: `payout_status_conflict` for a payout that must not be paid; `invalid_request` for providers without an
    ///   account; ``RefusedAct``.
    func file(of id: Int64, _ style: CSVStyle, _ accounts: PayoutAccounts? = nil) async throws -> [UInt8] {
        try await bankFile(of: id) { try await payouts.file(of: id, accounts, style) }
    }

    /// The file in a bank's layout for bulk transfers.
    ///
    /// - Throws: as ``file(of:_:_:)``.
    package func file(of id: Int64, in layout: BankLayout, _ accounts: PayoutAccounts) async throws -> [UInt8] {
        try await bankFile(of: id) { try await payouts.file(of: id, in: layout, accounts) }
    }

    private func bankFile(
        of id: Int64, _ make: () async throws -> Result<[UInt8], PayoutAccountsMissing>
    ) async throws -> [UInt8] {
        let status = try await find(id).status
        guard status.isForBank else { throw Problem(.payoutStatusConflict, status) }
        switch try await make() {
        case .success(let bytes): return bytes
        case .failure(let missing): throw missing.problem
        }
    }

    /// The bank has paid it.
    ///
    /// - Throws: ``RefusedAct``, also for a payment before the cut-off's day.
    package func pay(_ id: Int64, _ payment: BankPayment, under key: CallerKey) async throws -> Performed<Payout> {
        let act = try await payouts.payment(
            of: id, key: key, paidAt: payment.paidAt, bankReference: payment.reference)
        guard let act else { throw RefusedAct(.noSuchPayout) }
        let performed = try await ledger.perform(act)
        return Performed(success: try await find(id), isRepeat: performed.isRepeat)
    }
}
