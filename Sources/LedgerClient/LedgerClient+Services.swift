import CivilTime
public import Foundation

// What services do with users' coins. Each act bears a key, under which it is done once however often it is sent.
extension LedgerClient {
    /// Uses up a user's coins; `insufficient_coins` says how many there are.
    public func spend(_ request: SpendRequest, of user: String, key: IdempotencyKey) async throws -> SpendBody {
        try await send(.post(["users", user, "spends"], request, key: key))
    }

    /// Gives a user coins.
    public func grant(_ request: GrantRequest, to user: String, key: IdempotencyKey) async throws -> GrantBody {
        try await send(.post(["users", user, "grants"], request, key: key))
    }

    /// Sets a user's coins aside, to be captured or voided.
    public func hold(_ request: HoldRequest, of user: String, key: IdempotencyKey) async throws -> PlacedHoldBody {
        try await send(.post(["users", user, "holds"], request, key: key))
    }

    /// A hold as it is now.
    public func hold(_ id: Int64) async throws -> HoldBody { try await send(.get(["holds", "\(id)"])) }

    /// Takes coins of a hold, all that are left unless the request says otherwise.
    public func capture(
        _ hold: Int64, _ request: CaptureRequest = CaptureRequest(), key: IdempotencyKey
    ) async throws -> CapturedHoldBody {
        try await send(.post(["holds", "\(hold)", "capture"], request, key: key))
    }

    /// Gives back what a hold still sets aside.
    public func void(
        _ hold: Int64, _ request: VoidRequest = VoidRequest(), key: IdempotencyKey
    ) async throws -> VoidedHoldBody {
        try await send(.post(["holds", "\(hold)", "void"], request, key: key))
    }

    /// What giving a purchase back would come to now.
    ///
    /// - Parameter coins: how many of its coins; nil: all that can be given back.
    public func refundQuote(for purchase: Int64, coins: Int64? = nil) async throws -> RefundQuoteBody {
        let query = coins.map { [("coins", "\($0)")] } ?? []
        return try await send(.get(["purchases", "\(purchase)", "refund-quote"], query: query))
    }

    /// Gives a purchase back for the money, all of it unless the request says otherwise.
    ///
    /// The refund is `completed`, or `pending` while the gateway has not answered; what becomes of it tells
    /// ``refund(_:)``, or this act again under the same key.
    public func refund(
        _ purchase: Int64, _ request: RefundRequest, key: IdempotencyKey
    ) async throws -> RefundAnswerBody {
        try await send(.post(["purchases", "\(purchase)", "refunds"], request, key: key))
    }

    /// A refund as it stands.
    public func refund(_ id: Int64) async throws -> RefundBody { try await send(.get(["refunds", "\(id)"])) }

    /// The balances of 1 to ``LedgerWire/BalanceQuery/mostUsers`` users, in their order.
    public func balances(of users: [String]) async throws -> [BalanceBody] {
        try await send(.post(["balances", "query"], BalanceQuery(users: users)), as: BalancesBody.self).balances
    }

    /// What a provider has earned.
    public func earnings(of provider: String) async throws -> EarningsBody {
        try await send(.get(["providers", provider, "earnings"]))
    }

    /// What expires before a moment, over all users, earliest first.
    ///
    /// - Parameters:
    ///   - kind: of this kind only, `paid` or `bonus`.
    ///   - pageSize: how many lots are fetched at once, 1 to 100.
    public func lotsExpiring(before moment: Date, kind: String? = nil, pageSize: Int = 20) -> Listing<LotBody> {
        let query = filters(["before": RFC3339.string(from: moment), "kind": kind])
        return listing(["lots", "expiring"], query: query, pageSize: pageSize)
    }
}
