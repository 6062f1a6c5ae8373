// Calls for finance: providers' terms and bank accounts, and payouts.
extension LedgerClient {
    /// The providers with terms, by name.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func providers(pageSize: Int = 20) -> Listing<ProviderBody> { listing(["providers"], pageSize: pageSize) }

    /// A provider's terms, and what is owed in won.
    public func provider(_ provider: String) async throws -> ProviderBody {
        try await send(.get(["providers", provider]))
    }

    /// Sets a provider's terms, which apply to later captures.
    public func setTerms(of provider: String, _ request: ProviderTermsRequest) async throws -> ProviderBody {
        try await send(.put(["providers", provider], request))
    }

    /// The versions of a provider's terms, newest first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func terms(of provider: String, pageSize: Int = 20) -> Listing<ProviderTermsBody> {
        listing(["providers", provider, "terms"], pageSize: pageSize)
    }

    /// What a provider earned, lost and was paid in won, newest first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func statement(
        ofProvider provider: String, pageSize: Int = 20
    ) -> Listing<ProviderStatementLineBody> {
        listing(["providers", provider, "statement"], pageSize: pageSize)
    }

    /// Records that a provider paid back a claim, by a transfer to our bank.
    public func repay(
        claimOn provider: String, _ request: RepaymentRequest, key: IdempotencyKey
    ) async throws -> RepaymentBody {
        try await send(.post(["providers", provider, "repayments"], request, key: key))
    }

    /// The bank accounts that payouts to a provider went to, newest first, without their numbers.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func accounts(ofProvider provider: String, pageSize: Int = 20) -> Listing<ProviderAccountBody> {
        listing(["providers", provider, "accounts"], pageSize: pageSize)
    }

    /// Proposes the bank account that payouts to a provider go to; another person approves it.
    ///
    /// - Returns: the proposal, or the account if it is in force already.
    public func propose(
        account request: ProviderAccountRequest, of provider: String
    ) async throws -> ProviderAccountBody {
        try await send(.put(["providers", provider, "account"], request))
    }

    /// Approves a provider's bank account that another person proposed, with its number as the provider told it.
    public func approve(
        account id: Int64, of provider: String, _ request: ProviderAccountApprovalRequest
    ) async throws -> ProviderAccountBody {
        try await send(.post(["providers", provider, "accounts", "\(id)", "approval"], request))
    }

    /// Withdraws a provider's bank account that is proposed, and erases it.
    public func withdraw(account id: Int64, of provider: String) async throws -> ProviderAccountBody {
        try await send(.post(["providers", provider, "accounts", "\(id)", "withdrawal"]))
    }

    /// Erases a provider's bank accounts, in force and proposed.
    public func eraseAccounts(of provider: String) async throws {
        _ = try await perform(.delete(["providers", provider, "account"]))
    }

    /// Proposes a payout; another person approves it.
    public func propose(_ request: PayoutRequest = PayoutRequest(), key: IdempotencyKey) async throws -> PayoutBody {
        try await send(.post(["payouts"], request, key: key))
    }

    /// The payouts, newest first.
    ///
    /// - Parameters:
    ///   - status: only this status, such as `proposed`.
    ///   - pageSize: the page size, 1 to 100.
    public func payouts(status: String? = nil, pageSize: Int = 20) -> Listing<PayoutBody> {
        listing(["payouts"], query: filters(["status": status]), pageSize: pageSize)
    }

    /// A payout.
    public func payout(_ id: Int64) async throws -> PayoutBody { try await send(.get(["payouts", "\(id)"])) }

    /// What a payout pays, by provider.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func items(ofPayout id: Int64, pageSize: Int = 20) -> Listing<PayoutItemBody> {
        listing(["payouts", "\(id)", "items"], pageSize: pageSize)
    }

    /// The captures, reversals and repayments that a payout pays or nets off.
    ///
    /// - Parameters:
    ///   - provider: only this provider's.
    ///   - pageSize: the page size, 1 to 100.
    public func shares(
        ofPayout id: Int64, provider: String? = nil, pageSize: Int = 20
    ) -> Listing<PayoutShareBody> {
        listing(["payouts", "\(id)", "shares"], query: filters(["provider": provider]), pageSize: pageSize)
    }

    /// Approves a payout that another person proposed.
    public func approve(payout id: Int64) async throws -> PayoutBody {
        try await send(.post(["payouts", "\(id)", "approval"]))
    }

    /// Withdraws a payout that is not paid.
    public func withdraw(payout id: Int64, reason: String? = nil) async throws -> PayoutBody {
        try await send(.post(["payouts", "\(id)", "withdrawal"], PayoutWithdrawalRequest(reason: reason)))
    }

    /// Books that the bank has paid a payout.
    public func pay(
        payout id: Int64, _ request: PayoutPaymentRequest, key: IdempotencyKey
    ) async throws -> PayoutBody {
        try await send(.post(["payouts", "\(id)", "payment"], request, key: key))
    }
}
