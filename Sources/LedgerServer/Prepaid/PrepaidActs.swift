import Ledger
import Timing

/// What finance enters about prepaid coins.
struct PrepaidActs: Sendable {
    let prepaid: Prepaid
    let rules: PrepaidRules

    /// The most won of a balance: more than any company has, and far from overflow.
    static let mostBalance: Int64 = 1_000_000_000_000_000

    /// Enters what a custodian held, and compares custody with what must be in it.
    ///
    /// - Throws: ``InputFault``; `idempotency_key_reused`.
    func enter(
        _ draft: CustodyBalanceDraft, key: String, by person: String
    ) async throws -> (entered: CustodyEntered, safeguard: Safeguard) {
        try Self.check(draft)
        guard let entered = try await prepaid.enter(draft, key: key, by: person) else {
            throw Problem.keyReused(for: "custody_balance", at: try await prepaid.entered(under: key, by: person))
        }
        return (entered, try await compare())
    }

    /// Compares what must be in custody with what custodians hold, and opens or resolves the finding about it.
    func compare() async throws -> Safeguard {
        let safeguard = try await prepaid.safeguard(rules)
        try await prepaid.updateFinding(safeguard)
        return safeguard
    }

    /// Refuses a balance that no custodian can have held.
    static func check(_ draft: CustodyBalanceDraft) throws(InputFault) {
        guard (0...mostBalance).contains(draft.balance) else {
            throw InputFault("balance", "must be from 0 to \(mostBalance)")
        }
        guard draft.heldAt <= Time.current.now else { throw InputFault("held_at", "must not be in the future") }
    }
}
