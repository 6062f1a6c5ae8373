import CivilTime
public import Foundation

// What finance asks for and reads.
extension LedgerClient {
    /// Has a period's payments at the gateways compared with the books, in the background.
    ///
    /// What becomes of it tells ``reconciliation(_:)``.
    public func reconcile(_ request: ReconciliationRequest, key: IdempotencyKey) async throws -> ReconciliationBody {
        try await send(.post(["reconciliations"], request, key: key))
    }

    /// The comparisons, newest first.
    ///
    /// - Parameters:
    ///   - from: only those that were started then or later.
    ///   - to: only those that were started before.
    ///   - status: of this status only, such as `running`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func reconciliations(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<ReconciliationBody> {
        listing(
            ["reconciliations"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// A comparison, while it runs with what it has come to so far.
    public func reconciliation(_ id: Int64) async throws -> ReconciliationBody {
        try await send(.get(["reconciliations", "\(id)"]))
    }

    /// A comparison's payments.
    ///
    /// - Parameters:
    ///   - kinds: of these kinds only, such as `paid_not_credited`; all when none is named.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func items(
        ofReconciliation id: Int64, kinds: [String] = [], pageSize: Int = 20
    ) -> Listing<ReconciliationItemBody> {
        let query = kinds.isEmpty ? [] : [("kind", kinds.joined(separator: ","))]
        return listing(["reconciliations", "\(id)", "items"], query: query, pageSize: pageSize)
    }

    /// The statements of payouts that were imported, newest first.
    ///
    /// - Parameters:
    ///   - from: only those that were imported then or later.
    ///   - to: only those that were imported before.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func settlements(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<SettlementBody> {
        listing(["settlements"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// A statement's rows.
    ///
    /// - Parameters:
    ///   - status: of this status only, such as `unmatched`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func rows(
        ofSettlement id: Int64, status: String? = nil, pageSize: Int = 20
    ) -> Listing<SettlementRowBody> {
        let query = status.map { [("status", $0)] } ?? []
        return listing(["settlements", "\(id)", "rows"], query: query, pageSize: pageSize)
    }

    /// The payments that explain what `gateway:receivable` holds, with its balance: a page of them.
    ///
    /// - Parameters:
    ///   - moment: for what it held then.
    ///   - cursor: where the page before said that the next one starts.
    ///   - pageSize: how many a page has, 1 to 100.
    public func outstanding(
        asOf moment: Date? = nil, after cursor: String? = nil, pageSize: Int = 20
    ) async throws -> OutstandingPageBody {
        let query = [
            moment.map { ("as_of", RFC3339.string(from: $0)) }, ("limit", "\(pageSize)"), cursor.map { ("cursor", $0) },
        ]
        return try await send(.get(["settlements", "outstanding"], query: query.compactMap(\.self)))
    }

    /// Closes the books: what is effective before a moment, or day, stays as it is for good.
    ///
    /// The moment is its own key: closing until it again changes nothing.
    public func close(_ request: CloseRequest) async throws -> ClosedPeriodBody {
        try await send(.post(["periods", "close"], request), as: ClosingBody.self).period
    }

    /// The closings of the books, the last first.
    ///
    /// - Parameters:
    ///   - from: only those that were made then or later.
    ///   - to: only those that were made before.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func periods(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<ClosedPeriodBody> {
        listing(["periods"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// The seals of the books, the last first.
    ///
    /// - Parameters:
    ///   - from: only those that were made then or later.
    ///   - to: only those that were made before.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func seals(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<SealBody> {
        listing(["seals"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// Payments that need a person, the oldest first.
    ///
    /// - Parameters:
    ///   - from: only those that were found then or later.
    ///   - to: only those that were found before.
    ///   - kind: of this kind only, such as `paid_unclaimed`.
    ///   - pageSize: how many are fetched at once, 1 to 100.
    public func findings(
        from: Date? = nil, to: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<FindingBody> {
        listing(["findings"], query: filters(from: from, to: to, ["kind": kind]), pageSize: pageSize)
    }
}
