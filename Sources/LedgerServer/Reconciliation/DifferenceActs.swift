package import Ledger

/// What people do about payments that differ between the gateway and the books.
package struct DifferenceActs: Sendable {
    let ledger: Ledger

    private var reconciliations: Reconciliations { ledger.reconciliations }

    /// A payment of a reconciliation, what is known of it, and what people did about it.
    package struct Found: Sendable {
        package let run: Int64
        package let item: ReconciliationItem
        /// Nil: the payment is gone meanwhile.
        package let context: DifferenceContext?
        /// Oldest first, the last 100 acts.
        package let acts: [DifferenceAct]
    }

    /// A payment of a run.
    ///
    /// - Throws: `not_found`.
    package func find(_ id: Int64, of run: Int64) async throws -> Found {
        let item = try await item(id, of: run)
        return Found(
            run: run, item: item, context: try await reconciliations.contexts(of: [item])[item.id],
            acts: try await reconciliations.acts(on: item.comparison.payment))
    }

    /// Records what a person did about a payment of a run, and returns it as it is now; a repeat of its last act has no effect.
    ///
    /// - Parameters:
    ///   - whom: who works on it from now on.
    ///   - reason: the note.
    /// - Throws: `not_found`.
    package func act(
        _ kind: DifferenceAct.Kind, on id: Int64, of run: Int64, by caller: String, whom: String? = nil,
        reason: String? = nil
    ) async throws -> Found {
        let payment = try await item(id, of: run).comparison.payment
        try await reconciliations.act(kind, on: payment, by: caller, whom: whom, reason: reason)
        return try await find(id, of: run)
    }

    private func item(_ id: Int64, of run: Int64) async throws -> ReconciliationItem {
        guard let item = try await reconciliations.item(id, of: run) else {
            throw Problem(.notFound, "the reconciliation has no such payment")
        }
        return item
    }
}

extension DifferenceContext {
    /// The user of its purchase; or who presented its receipt, or ordered it.
    package var customer: UserID? { user ?? presenter ?? orderer }
}
