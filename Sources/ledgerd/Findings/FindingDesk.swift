import Ledger
import PGVerifier

/// What people do about findings.
struct FindingDesk: Sendable {
    let crediter: ReceiptCrediter

    private var findings: Findings { crediter.ledger.findings }

    /// A finding, and what people did about it.
    ///
    /// - Throws: `not_found`.
    func find(_ id: Int64) async throws -> (finding: Finding, acts: [FindingAct]) {
        guard let found = try await findings.find(id) else { throw Problem(.notFound, "the finding does not exist") }
        return found
    }

    /// Records what a person did, and returns the finding as it is now.
    ///
    /// - Throws: `not_found`.
    func act(
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
    /// - Throws: `not_found`; `invalid_request` for a finding without a payment; or the code of the refusal.
    func claim(_ id: Int64, for user: UserID, because reason: String, by caller: String) async throws -> Claimed {
        let finding = try await find(id).finding
        guard let payment = finding.payment else {
            throw Problem(.invalidRequest, "the finding is not about a payment: there is nothing to credit")
        }
        guard let receipt = payment.receipt else { throw Problem(.gatewayOff) }
        switch try await crediter.credit(receipt, asDecidedTo: user) {
        case .credited(let credited, let isRepeat):
            try await findings.act(.claim, on: id, by: caller, whom: user.rawValue, reason: reason)
            return .credited(credited, isRepeat: isRepeat)
        case .waiting(let reason): return .waiting(reason)
        case .refused(let refusal): throw try await crediter.problem(of: refusal, asked: receipt)
        }
    }

    /// The result of a claim that was not refused.
    enum Claimed: Sendable {
        case credited(Credited, isRepeat: Bool)
        /// The gateway does not confirm the payment now; nothing is stored, so the claim can be repeated.
        case waiting(WaitReason)
    }
}
