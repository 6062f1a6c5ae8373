import CivilTime
public import Foundation

// Calls for services. Each write has a key; a repeat with the same key has no further effect.
extension LedgerClient {
    /// Spends a user's coins; `insufficient_coins` tells how many are available.
    public func spend(_ request: SpendRequest, of user: String, key: IdempotencyKey) async throws -> SpendBody {
        try await send(.post(["users", user, "spends"], request, key: key))
    }

    /// Grants coins to a user.
    public func grant(_ request: GrantRequest, to user: String, key: IdempotencyKey) async throws -> GrantBody {
        try await send(.post(["users", user, "grants"], request, key: key))
    }

    /// Voids a grant: takes back what is in the wallet of it, by default all.
    ///
    /// - Parameter grant: the grant's ``LedgerWire/GrantBody/Act/journalEntryID``.
    public func voidGrant(
        _ grant: Int64, _ request: VoidGrantRequest, key: IdempotencyKey
    ) async throws -> VoidedGrantBody {
        try await send(.post(["grants", "\(grant)", "void"], request, key: key))
    }

    /// Gives coins of a user to another user.
    public func gift(_ request: GiftRequest, from user: String, key: IdempotencyKey) async throws -> GiftBody {
        try await send(.post(["users", user, "transfers"], request, key: key))
    }

    /// Merges a user into another one, or renames it; there is no way back.
    public func merge(_ user: String, _ request: MergeRequest, key: IdempotencyKey) async throws -> MergeBody {
        try await send(.post(["users", user, "merge"], request, key: key))
    }

    /// Places a hold on a user's coins, to be captured or voided.
    public func hold(_ request: HoldRequest, of user: String, key: IdempotencyKey) async throws -> PlacedHoldBody {
        try await send(.post(["users", user, "holds"], request, key: key))
    }

    /// A hold in its present state.
    public func hold(_ id: Int64) async throws -> HoldBody { try await send(.get(["holds", "\(id)"])) }

    /// Captures coins of a hold; by default all that remain.
    public func capture(
        _ hold: Int64, _ request: CaptureRequest = CaptureRequest(), key: IdempotencyKey
    ) async throws -> CapturedHoldBody {
        try await send(.post(["holds", "\(hold)", "capture"], request, key: key))
    }

    /// Voids a hold: its remaining coins return to the wallet.
    public func void(
        _ hold: Int64, _ request: VoidRequest = VoidRequest(), key: IdempotencyKey
    ) async throws -> VoidedHoldBody {
        try await send(.post(["holds", "\(hold)", "void"], request, key: key))
    }

    /// Reverses a spend; by default all coins that did not come back yet.
    ///
    /// - Parameter spend: the spend's ``LedgerWire/RedemptionBody/journalEntryID``.
    public func reverseSpend(
        _ spend: Int64, _ request: ReversalRequest = ReversalRequest(), key: IdempotencyKey
    ) async throws -> ReversedRedemptionBody {
        try await send(.post(["spends", "\(spend)", "reversals"], request, key: key))
    }

    /// Reverses a capture of a hold; by default all coins that did not come back yet.
    ///
    /// - Parameter capture: the capture's ``LedgerWire/RedemptionBody/journalEntryID``.
    public func reverseCapture(
        _ capture: Int64, of hold: Int64, _ request: ReversalRequest = ReversalRequest(), key: IdempotencyKey
    ) async throws -> ReversedRedemptionBody {
        try await send(.post(["holds", "\(hold)", "captures", "\(capture)", "reversals"], request, key: key))
    }

    /// A preview of a refund.
    ///
    /// - Parameter coins: the number of coins; nil: all refundable coins.
    public func refundQuote(for purchase: Int64, coins: Int64? = nil) async throws -> RefundQuoteBody {
        let query = coins.map { [("coins", "\($0)")] } ?? []
        return try await send(.get(["purchases", "\(purchase)", "refund-quote"], query: query))
    }

    /// Refunds a purchase; by default all refundable coins.
    ///
    /// The refund is `completed`, or `pending` until the gateway has answered. ``refund(_:)``, or a repeat with the
    /// same key, returns its present state.
    public func refund(
        _ purchase: Int64, _ request: RefundRequest, key: IdempotencyKey
    ) async throws -> RefundAnswerBody {
        try await send(.post(["purchases", "\(purchase)", "refunds"], request, key: key))
    }

    /// A preview of taking back spends of a purchase and refunding it.
    ///
    /// - Parameter spends: the journal entries of the spends and captures; nil: the last 50 of the purchase.
    public func takeBackQuote(for purchase: Int64, spends: [Int64]? = nil) async throws -> TakeBackQuoteBody {
        let query = spends.map { [("spends", $0.map(String.init).joined(separator: ","))] } ?? []
        return try await send(.get(["purchases", "\(purchase)", "take-back-quote"], query: query))
    }

    /// Takes back spends of a purchase and refunds it: all of it is done, or nothing.
    ///
    /// The refund is `completed`, or `pending` until the gateway has answered. ``refund(_:)``, or a repeat with the
    /// same key, returns its present state.
    public func takeBack(
        _ purchase: Int64, _ request: TakeBackRequest, key: IdempotencyKey
    ) async throws -> TakeBackBody {
        try await send(.post(["purchases", "\(purchase)", "take-back"], request, key: key))
    }

    /// A refund in its present state.
    public func refund(_ id: Int64) async throws -> RefundBody { try await send(.get(["refunds", "\(id)"])) }

    /// The balances of 1 to ``LedgerWire/BalanceQuery/mostUsers`` users, in their order.
    public func balances(of users: [String]) async throws -> [BalanceBody] {
        try await send(.post(["balances", "query"], BalanceQuery(users: users)), as: BalancesBody.self).balances
    }

    /// The thresholds of a user's available coins.
    ///
    /// - Parameter user: nil: the ledger's, for all users without thresholds of their own.
    public func balanceAlerts(of user: String? = nil) async throws -> BalanceAlertsBody {
        try await send(.get(balanceAlertsPath(user)))
    }

    /// Sets thresholds of available coins, in place of those before; available coins that cross one are an event.
    ///
    /// - Parameter user: nil: the ledger's, for all users without thresholds of their own.
    public func setBalanceAlerts(
        _ request: BalanceAlertsRequest, of user: String? = nil
    ) async throws -> BalanceAlertsBody {
        try await send(.put(balanceAlertsPath(user), request))
    }

    /// Removes the thresholds of available coins; a user has those of the ledger then.
    ///
    /// - Parameter user: nil: the ledger's, for all users without thresholds of their own.
    public func removeBalanceAlerts(of user: String? = nil) async throws {
        _ = try await perform(.delete(balanceAlertsPath(user)))
    }

    private func balanceAlertsPath(_ user: String?) -> [String] {
        (user.map { ["users", $0] } ?? []) + ["balance-alerts"]
    }

    /// Creates an order for a user.
    ///
    /// - Parameter key: a repeat with the same key returns the same order.
    public func order(_ request: OrderRequest, for user: String, key: IdempotencyKey) async throws -> OrderBody {
        try await send(.post(["users", user, "orders"], request, key: key))
    }

    /// A user's consent to automatic top-up, in force or the last one, with the latest charges.
    public func topUp(of user: String) async throws -> TopUpBody { try await send(.get(topUpPath(user))) }

    /// Stores a user's consent to automatic top-up, in place of the one before.
    public func agreeToTopUp(_ request: TopUpRequest, of user: String) async throws -> TopUpBody {
        try await send(.put(topUpPath(user), request))
    }

    /// Revokes a user's consent to automatic top-up at once; a charge that is under way is credited all the same.
    public func revokeTopUp(of user: String) async throws -> TopUpBody {
        try await send(.delete(topUpPath(user)))
    }

    /// Pauses a user's automatic top-up.
    public func pauseTopUp(_ request: PauseTopUpRequest, of user: String) async throws -> TopUpBody {
        try await send(.post(topUpPath(user) + ["pause"], request))
    }

    /// Resumes a user's automatic top-up, without the failures and the rest from before.
    public func resumeTopUp(of user: String) async throws -> TopUpBody {
        try await send(.post(topUpPath(user) + ["resume"]))
    }

    /// Campaigns, newest first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func campaigns(pageSize: Int = 20) -> Listing<CampaignBody> {
        listing(["campaigns"], pageSize: pageSize)
    }

    /// A campaign, how far it is, and what became of its coins.
    public func campaign(_ id: Int64) async throws -> CampaignBody { try await send(.get(["campaigns", "\(id)"])) }

    /// Creates a campaign; a repeat of the same returns the same campaign.
    public func createCampaign(_ request: CampaignRequest) async throws -> CampaignBody {
        try await send(.post(["campaigns"], request))
    }

    /// Adds users to the list of a campaign; who is on it stays.
    public func addUsers(_ request: CampaignUsersRequest, toCampaign id: Int64) async throws -> CampaignUsersBody {
        try await send(.post(["campaigns", "\(id)", "users"], request))
    }

    /// Adds the users of a CSV file to the list of a campaign; who is on it stays.
    ///
    /// If a line can't be read, nobody is added.
    ///
    /// - Parameters:
    ///   - file: UTF-8, at most 64 MiB: in each line the id of a user, and the coins, if they are others than the campaign's.
    ///   - isDryRun: whether the users are counted without adding them.
    public func uploadUsers(
        _ file: Data, toCampaign id: Int64, isDryRun: Bool = false
    ) async throws -> CampaignUsersBody {
        try await send(
            .post(["campaigns", "\(id)", "users", "file"], csv: file, query: [("dry_run", "\(isDryRun)")]))
    }

    /// Pauses a campaign.
    public func pauseCampaign(_ id: Int64, _ request: CampaignStopRequest) async throws -> CampaignBody {
        try await send(.post(["campaigns", "\(id)", "pause"], request))
    }

    /// Resumes a paused campaign.
    public func resumeCampaign(_ id: Int64) async throws -> CampaignBody {
        try await send(.post(["campaigns", "\(id)", "resume"]))
    }

    /// Begins to void what is left of a campaign's coins.
    public func voidCampaign(_ id: Int64, _ request: CampaignStopRequest) async throws -> CampaignBody {
        try await send(.post(["campaigns", "\(id)", "void"], request))
    }

    /// Claims a campaign's coins for a user, once.
    public func claim(_ request: CampaignClaimRequest, for user: String) async throws -> CampaignClaimBody {
        try await send(.post(["users", user, "claims"], request))
    }

    /// The request to forget a user that waits, or else the last one.
    public func forgetting(of user: String) async throws -> ForgettingBody {
        try await send(.get(forgettingPath(user)))
    }

    /// The request to forget a user with this id: it tells the id that took the place of the user's.
    public func forgetting(_ id: Int64) async throws -> ForgettingBody {
        try await send(.get(["forgettings", String(id)]))
    }

    /// Asks to forget a user, after the service's waiting time and when nothing of the user is open.
    public func askToForget(_ request: ForgettingRequest, user: String) async throws -> ForgettingBody {
        try await send(.put(forgettingPath(user), request))
    }

    /// Cancels the request to forget a user; nobody who was forgotten comes back.
    public func cancelForgetting(of user: String) async throws -> ForgettingBody {
        try await send(.delete(forgettingPath(user)))
    }

    private func forgettingPath(_ user: String) -> [String] { ["users", user, "forgetting"] }

    private func topUpPath(_ user: String) -> [String] { ["users", user, "top-up"] }

    /// A provider's earnings in coins.
    public func earnings(of provider: String) async throws -> EarningsBody {
        try await send(.get(["providers", provider, "earnings"]))
    }

    /// The lots of all users that expire before a moment, earliest first.
    ///
    /// - Parameters:
    ///   - kind: only this kind, `paid` or `bonus`.
    ///   - pageSize: the page size, 1 to 100.
    public func lotsExpiring(before moment: Date, kind: String? = nil, pageSize: Int = 20) -> Listing<LotBody> {
        let query = filters(["before": RFC3339.string(from: moment), "kind": kind])
        return listing(["lots", "expiring"], query: query, pageSize: pageSize)
    }
}
