package import Ledger
import PGVerifier

/// What people do about findings.
package struct FindingActs: Sendable {
    package let crediter: ReceiptCrediter

    private var findings: Findings { crediter.ledger.findings }

    /// A finding, and what people did about it.
    ///
    /// - Throws: `not_found`.
    package func find(_ id: Int64) async throws -> (finding: Finding, acts: [FindingAct]) {
        guard let found = try await findings.find(id) else { throw Problem(.notFound, "the finding does not exist") }
        return found
    }

    /// Records what a person did, and returns the finding as it is now.
    ///
    /// - Throws: `not_found`.
    package func act(
        _ kind: FindingAct.Kind, on id: Int64, by caller: String, whom: String? = nil, reason: String? = nil
    ) async throws -> (finding: Finding, acts: [FindingAct]) {
        _ = try await find(id)
        try await findings.act(kind, on: id, by: caller, whom: whom, reason: reason)
        return try await find(id)
    }

    /// Credits a finding's payment to the user to whom it belongs by a person's decision.
    ///
    /// The gateway must confirm the payment, as for a receipt. A payment of an order belongs to the order's user, and
    /// can't be credited to another one.
    ///
    /// - Throws: `not_found`; `invalid_request` for a finding without a payment; `user_unknown` for a user of whom
    ///   there is no record, unless the claim says so; or the code of the refusal.
    func claim(_ claim: Claim) async throws -> Claimed {
        let finding = try await find(claim.finding).finding
        let payment = try Self.payment(of: finding)
        guard let receipt = payment.receipt else { throw Problem(.gatewayOff) }
        try await requireOpen(finding, payment, claim)
        if !claim.isNewUser, try await isNew(claim.user, to: finding) {
            throw Problem(.userUnknown, "check the id; if the user is new, send new_user: true")
        }
        switch try await crediter.credit(receipt, asDecidedTo: claim.user, seen: claim.seen?.amount) {
        case .credited(let credited, let isRepeat):
            try await note(claim)
            return .credited(credited, isRepeat: isRepeat)
        case .given(let free, let isRepeat):
            try await note(claim)
            return .given(free, isRepeat: isRepeat)
        case .waiting(let reason): return .waiting(reason)
        case .refused(let refusal): throw try await crediter.problem(of: refusal, asked: receipt)
        }
    }

    private func note(_ claim: Claim) async throws(LedgerError) {
        try await findings.act(
            .claim, on: claim.finding, by: claim.caller, whom: claim.user.rawValue, reason: claim.reason)
    }

    /// The payment that a claim credits.
    ///
    /// - Throws: `invalid_request` for a finding without one.
    package static func payment(of finding: Finding) throws(Problem) -> PaymentIdentity {
        guard let payment = finding.payment else {
            throw Problem(.invalidRequest, "the finding is not about a payment: there is nothing to credit")
        }
        return payment
    }

    /// Whether there is no record of a user: no coins, order or kept receipt, and neither the finding nor the payment names
    /// the user.
    ///
    /// Such an id is more often a slip than a user, and coins in a wrong wallet don't come back.
    package func isNew(_ user: UserID, to finding: Finding) async throws -> Bool {
        if finding.candidates.contains(user) { return false }
        return try await !crediter.ledger.search.knows(user)
    }

    /// Refuses what two people decided about a finding that somebody resolved meanwhile in another way.
    ///
    /// An approval that is carried out again finds the payment credited.
    private func requireOpen(_ finding: Finding, _ payment: PaymentIdentity, _ claim: Claim) async throws {
        guard claim.seen?.wasOpen == true, !finding.isOpen else { return }
        guard try await crediter.ledger.purchases.find(of: payment) == nil,
            try await crediter.ledger.freePurchases.find(of: payment) == nil
        else { return }
        throw Problem(Refusal.changedMeanwhile)
    }

    /// A person's decision to whom a finding's payment belongs.
    struct Claim: Sendable {
        let finding: Int64
        let user: UserID
        /// Whether the person says that the user is new, so that no record is missed.
        let isNewUser: Bool
        let reason: String
        let caller: String
        /// What the person saw of the payment; nil: it decides nothing.
        var seen: SeenPayment?
    }

    /// What a person saw of a finding's payment.
    struct SeenPayment: Sendable {
        /// In won: other currencies are not credited.
        let amount: Int64
        /// Whether the finding was open, and must be still.
        let wasOpen: Bool
    }

    /// The result of a claim that was not refused.
    enum Claimed: Sendable {
        case credited(Credited, isRepeat: Bool)
        /// A store sold it for nothing.
        case given(FreeCredit, isRepeat: Bool)
        /// The gateway does not confirm the payment now; nothing is stored, so the claim can be repeated.
        case waiting(WaitReason)
    }
}
