// Calls for finance: accounting policies, and adjustments at the ends of months.
extension LedgerClient {
    /// The accounting policies, the last set first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func accountingPolicies(pageSize: Int = 20) -> Listing<AccountingPolicyBody> {
        listing(["accounting-policies"], pageSize: pageSize)
    }

    /// Sets how `breakage` or `bonus` is accounted for from a month on.
    ///
    /// - Parameter month: the first month, such as `2026-01`; neither it nor a later one is adjusted or closed.
    public func setAccountingPolicy(
        of subject: String, from month: String, _ request: AccountingPolicyRequest
    ) async throws -> AccountingPolicyBody {
        try await send(.put(["accounting-policies", subject, month], request))
    }

    /// The adjustments, the last one first, without their cohorts.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func adjustments(pageSize: Int = 20) -> Listing<AdjustmentBody> {
        listing(["adjustments"], pageSize: pageSize)
    }

    /// An adjustment, with its cohorts.
    public func adjustment(_ id: Int64) async throws -> AdjustmentBody {
        try await send(.get(["adjustments", "\(id)"]))
    }

    /// What would be booked at the end of a month, and what the history proposes.
    public func previewAdjustment(_ request: AdjustmentRequest) async throws -> AdjustmentPreviewBody {
        let query = filters(["subject": request.subject, "month": request.month])
        return try await send(.get(["adjustments", "preview"], query: query))
    }

    /// Books what is missing at the end of a month; without anything missing, its last adjustment.
    public func adjust(_ request: AdjustmentRequest, key: IdempotencyKey) async throws -> AdjustmentBody {
        try await send(.post(["adjustments"], request, key: key))
    }
}
