import CivilTime
public import Foundation

/// One user's balance, purchases, statement, lots and holds.
public struct Wallet: Sendable {
    let client: LedgerClient
    /// The user's part of the path.
    let owner: [String]

    /// The user's balance.
    ///
    /// - Parameter moment: for the balance at this moment.
    public func balance(at moment: Date? = nil) async throws -> BalanceBody {
        let query = moment.map { [("at", RFC3339.string(from: $0))] } ?? []
        return try await client.send(.get(owner + ["balance"], query: query))
    }

    /// The user's purchases, newest first.
    ///
    /// - Parameters:
    ///   - from: only those credited at this moment or later.
    ///   - to: only those credited before this moment.
    ///   - status: only this status, such as `refunded`.
    ///   - pageSize: the page size, 1 to 100.
    public func purchases(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<PurchaseBody> {
        client.listing(
            owner + ["purchases"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// One of the user's purchases; `not_found` for another user's.
    public func purchase(_ id: Int64) async throws -> PurchaseBody {
        try await client.send(.get(owner + ["purchases", "\(id)"]))
    }

    /// The acts on the user's coins, newest first.
    ///
    /// - Parameters:
    ///   - from: only what was recorded at this moment or later.
    ///   - to: only what was recorded before this moment.
    ///   - kind: only acts of this kind, such as `spend`; such a page can have fewer items without being the last.
    ///   - pageSize: the page size, 1 to 100.
    public func statement(
        from: Date? = nil, to: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<StatementEntryBody> {
        client.listing(owner + ["statement"], query: filters(from: from, to: to, ["kind": kind]), pageSize: pageSize)
    }

    /// The lots that have coins left, by expiry.
    ///
    /// - Parameters:
    ///   - moment: only those that expire before this moment.
    ///   - kind: only this kind, `paid` or `bonus`.
    ///   - pageSize: the page size, 1 to 100.
    public func lots(
        expiringBefore moment: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<LotBody> {
        let query = filters(["expires_before": moment.map(RFC3339.string), "kind": kind])
        return client.listing(owner + ["lots"], query: query, pageSize: pageSize)
    }

    /// The user's holds, newest first.
    ///
    /// - Parameters:
    ///   - from: only those placed at this moment or later.
    ///   - to: only those placed before this moment.
    ///   - status: only this status, such as `open`.
    ///   - pageSize: the page size, 1 to 100.
    public func holds(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<HoldBody> {
        client.listing(owner + ["holds"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }
}

extension LedgerClient {
    /// The wallet of the token's user.
    public var me: Wallet { Wallet(client: self, owner: ["me"]) }

    /// Any user's wallet, for services.
    public func wallet(of user: String) -> Wallet { Wallet(client: self, owner: ["users", user]) }
}
