import CivilTime
public import Foundation

/// What one user has, had and did.
public struct Wallet: Sendable {
    let client: LedgerClient
    /// Whose it is, as the path names it.
    let owner: [String]

    /// What the user has.
    ///
    /// - Parameter moment: for what the user had then.
    public func balance(at moment: Date? = nil) async throws -> BalanceBody {
        let query = moment.map { [("at", RFC3339.string(from: $0))] } ?? []
        return try await client.send(.get(owner + ["balance"], query: query))
    }

    /// The user's purchases, newest first.
    ///
    /// - Parameters:
    ///   - from: only those that were credited then or later.
    ///   - to: only those that were credited before.
    ///   - status: of this status only, such as `refunded`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
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

    /// What was done with the user's coins, newest first.
    ///
    /// - Parameters:
    ///   - from: only what was recorded then or later.
    ///   - to: only what was recorded before.
    ///   - kind: only acts of this kind, such as `spend`; a page may then hold fewer and not be the last.
    ///   - pageSize: how much is fetched at once, 1 to 100.
    public func statement(
        from: Date? = nil, to: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<StatementEntryBody> {
        client.listing(owner + ["statement"], query: filters(from: from, to: to, ["kind": kind]), pageSize: pageSize)
    }

    /// The coins that are left, by when they expire.
    ///
    /// - Parameters:
    ///   - moment: only those that expire before it.
    ///   - kind: of this kind only, `paid` or `bonus`.
    ///   - pageSize: how many lots are fetched at once, 1 to 100.
    public func lots(
        expiringBefore moment: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<LotBody> {
        let query = filters(["expires_before": moment.map(RFC3339.string), "kind": kind])
        return client.listing(owner + ["lots"], query: query, pageSize: pageSize)
    }

    /// What is or was set aside of the user's coins, newest first.
    ///
    /// - Parameters:
    ///   - from: only those that were placed then or later.
    ///   - to: only those that were placed before.
    ///   - status: of this status only, such as `open`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func holds(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<HoldBody> {
        client.listing(owner + ["holds"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }
}

extension LedgerClient {
    /// The wallet of the user whose token it is.
    public var me: Wallet { Wallet(client: self, owner: ["me"]) }

    /// Any user's wallet, for services.
    public func wallet(of user: String) -> Wallet { Wallet(client: self, owner: ["users", user]) }
}
