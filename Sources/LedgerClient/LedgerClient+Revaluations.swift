// Calls for finance: revaluations of what is open in foreign currencies.
extension LedgerClient {
    /// The revaluations, the last one first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func revaluations(pageSize: Int = 20) -> Listing<RevaluationBody> {
        listing(["revaluations"], pageSize: pageSize)
    }

    /// A revaluation.
    public func revaluation(_ id: Int64) async throws -> RevaluationBody {
        try await send(.get(["revaluations", "\(id)"]))
    }

    /// Revalues a currency at the end of a month that is over; if it is revalued, its revaluation.
    public func revalue(_ request: RevaluationRequest, key: IdempotencyKey) async throws -> RevaluationBody {
        try await send(.post(["revaluations"], request, key: key))
    }
}
