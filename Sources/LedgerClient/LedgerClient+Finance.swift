import CivilTime
public import Foundation

// Calls for finance.
extension LedgerClient {
    /// Starts a reconciliation: compares a period's payments at the gateways with the books, in the background.
    ///
    /// ``reconciliation(_:)`` returns its progress.
    public func reconcile(_ request: ReconciliationRequest, key: IdempotencyKey) async throws -> ReconciliationBody {
        try await send(.post(["reconciliations"], request, key: key))
    }

    /// The reconciliations, newest first.
    ///
    /// - Parameters:
    ///   - from: only those started at this moment or later.
    ///   - to: only those started before this moment.
    ///   - status: only this status, such as `running`.
    ///   - pageSize: the page size, 1 to 100.
    public func reconciliations(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<ReconciliationBody> {
        listing(
            ["reconciliations"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// A reconciliation, with its progress while it runs.
    public func reconciliation(_ id: Int64) async throws -> ReconciliationBody {
        try await send(.get(["reconciliations", "\(id)"]))
    }

    /// The payments of a reconciliation.
    ///
    /// - Parameters:
    ///   - kinds: only these kinds, such as `paid_not_credited`; empty for all.
    ///   - pageSize: the page size, 1 to 100.
    public func items(
        ofReconciliation id: Int64, kinds: [String] = [], pageSize: Int = 20
    ) -> Listing<ReconciliationItemBody> {
        let query = kinds.isEmpty ? [] : [("kind", kinds.joined(separator: ","))]
        return listing(["reconciliations", "\(id)", "items"], query: query, pageSize: pageSize)
    }

    /// The settlement files that were imported, newest first.
    ///
    /// - Parameters:
    ///   - from: only those imported at this moment or later.
    ///   - to: only those imported before this moment.
    ///   - pageSize: the page size, 1 to 100.
    public func settlements(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<SettlementBody> {
        listing(["settlements"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// A settlement file's rows.
    ///
    /// - Parameters:
    ///   - status: only this status, such as `unmatched`.
    ///   - pageSize: the page size, 1 to 100.
    public func rows(
        ofSettlement id: Int64, status: String? = nil, pageSize: Int = 20
    ) -> Listing<SettlementRowBody> {
        let query = status.map { [("status", $0)] } ?? []
        return listing(["settlements", "\(id)", "rows"], query: query, pageSize: pageSize)
    }

    /// A page of the payments that make up the balance of `gateway:receivable`, with the balance.
    ///
    /// - Parameters:
    ///   - moment: for the balance at this moment.
    ///   - cursor: the previous page's `nextCursor`.
    ///   - pageSize: the page size, 1 to 100.
    public func outstanding(
        asOf moment: Date? = nil, after cursor: String? = nil, pageSize: Int = 20
    ) async throws -> OutstandingPageBody {
        let query = [
            moment.map { ("as_of", RFC3339.string(from: $0)) }, ("limit", "\(pageSize)"), cursor.map { ("cursor", $0) },
        ]
        return try await send(.get(["settlements", "outstanding"], query: query.compactMap(\.self)))
    }

    /// Closes the books: everything effective before a moment, or day, stays unchanged.
    ///
    /// The moment is the key: a repeat changes nothing.
    public func close(_ request: CloseRequest) async throws -> ClosedPeriodBody {
        try await send(.post(["periods", "close"], request), as: ClosingBody.self).period
    }

    /// The closings of the books, newest first.
    ///
    /// - Parameters:
    ///   - from: only those made at this moment or later.
    ///   - to: only those made before this moment.
    ///   - pageSize: the page size, 1 to 100.
    public func periods(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<ClosedPeriodBody> {
        listing(["periods"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// The seals of the books, newest first.
    ///
    /// - Parameters:
    ///   - from: only those made at this moment or later.
    ///   - to: only those made before this moment.
    ///   - pageSize: the page size, 1 to 100.
    public func seals(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<SealBody> {
        listing(["seals"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// Payments that need a decision by a person, oldest first.
    ///
    /// - Parameters:
    ///   - from: only those found at this moment or later.
    ///   - to: only those found before this moment.
    ///   - kind: only this kind, such as `paid_unclaimed`.
    ///   - pageSize: the page size, 1 to 100.
    public func findings(
        from: Date? = nil, to: Date? = nil, kind: String? = nil, pageSize: Int = 20
    ) -> Listing<FindingBody> {
        listing(["findings"], query: filters(from: from, to: to, ["kind": kind]), pageSize: pageSize)
    }
}
