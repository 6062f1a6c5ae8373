package import Ledger

extension Purchases {
    /// The purchase with this id, of any user.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    func require(_ id: Int64) async throws -> Purchase {
        guard let purchase = try await find(id) else { throw RefusedAct(.noSuchPurchase) }
        return purchase
    }

    /// The purchase with this id, of this user.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    package func require(_ id: Int64, of user: UserID) async throws -> Purchase {
        guard let purchase = try await find(id, of: user) else { throw RefusedAct(.noSuchPurchase) }
        return purchase
    }
}
