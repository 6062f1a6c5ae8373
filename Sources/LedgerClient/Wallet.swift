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
    /// - Parameter pageSize: how many are fetched at once, 1 to 100.
    public func purchases(pageSize: Int = 20) -> Listing<PurchaseBody> {
        client.listing(owner + ["purchases"], pageSize: pageSize)
    }

    /// One of the user's purchases; `not_found` for another user's.
    public func purchase(_ id: Int64) async throws -> PurchaseBody {
        try await client.send(.get(owner + ["purchases", "\(id)"]))
    }

    /// What was done with the user's coins, newest first.
    ///
    /// - Parameter pageSize: how much is fetched at once, 1 to 100.
    public func statement(pageSize: Int = 20) -> Listing<StatementEntryBody> {
        client.listing(owner + ["statement"], pageSize: pageSize)
    }

    /// The coins that are left, by when they expire.
    ///
    /// - Parameters:
    ///   - moment: only those that expire before it.
    ///   - pageSize: how many lots are fetched at once, 1 to 100.
    public func lots(expiringBefore moment: Date? = nil, pageSize: Int = 20) -> Listing<LotBody> {
        let query = moment.map { [("expires_before", RFC3339.string(from: $0))] } ?? []
        return client.listing(owner + ["lots"], query: query, pageSize: pageSize)
    }

    /// What is or was set aside of the user's coins, newest first.
    ///
    /// - Parameter pageSize: how many are fetched at once, 1 to 100.
    public func holds(pageSize: Int = 20) -> Listing<HoldBody> {
        client.listing(owner + ["holds"], pageSize: pageSize)
    }
}

extension LedgerClient {
    /// The wallet of the user whose token it is.
    public var me: Wallet { Wallet(client: self, owner: ["me"]) }

    /// Any user's wallet, for services.
    public func wallet(of user: String) -> Wallet { Wallet(client: self, owner: ["users", user]) }
}
