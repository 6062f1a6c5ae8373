import CivilTime
public import Foundation

// Calls for those who keep the books.
extension LedgerClient {
    /// Closes the books: everything effective before a moment, or day, stays unchanged.
    ///
    /// The moment is the key: a repeat changes nothing.
    public func close(_ request: CloseRequest) async throws -> ClosedPeriodBody {
        try await send(.post(["periods", "close"], request), as: ClosingBody.self).period
    }

    /// What is still open before the books are closed until a moment or day.
    ///
    /// - Parameters:
    ///   - until: an RFC 3339 time, or a day of the service's time zone.
    ///   - unsettledDays: a payment that is outstanding since more days before `until` is open; nil: 14.
    public func closingChecklist(until: String, unsettledDays: Int? = nil) async throws -> ClosingChecklistBody {
        let query = filters(["until": until, "unsettled_days": unsettledDays.map { "\($0)" }])
        return try await send(.get(["periods", "checklist"], query: query))
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

    /// A page of the postings of an account, newest first.
    ///
    /// - Parameters:
    ///   - account: the account's name, such as `coins:issued`.
    ///   - moment: only postings recorded before this moment.
    ///   - cursor: the previous page's `nextCursor`.
    ///   - pageSize: the page size, 1 to 100.
    public func postings(
        of account: String, before moment: Date? = nil, after cursor: String? = nil, pageSize: Int = 20
    ) async throws -> AccountStatementBody {
        let query = [
            ("account", account), moment.map { ("before", RFC3339.string(from: $0)) }, ("limit", "\(pageSize)"),
            cursor.map { ("cursor", $0) },
        ]
        return try await send(.get(["postings"], query: query.compactMap(\.self)))
    }

    /// A journal entry with its postings.
    public func entry(_ id: Int64) async throws -> JournalEntryBody { try await send(.get(["entries", "\(id)"])) }

    /// What was recorded day by day, at most 366 days.
    ///
    /// - Parameters:
    ///   - from: the first day, such as `2026-11-01`; nil: 30 days before `to`.
    ///   - to: the day after the last one; nil: tomorrow.
    public func figures(from: String? = nil, to: String? = nil) async throws -> [DailyFiguresBody.Day] {
        try await send(.get(["figures", "days"], query: filters(["from": from, "to": to])), as: DailyFiguresBody.self)
            .days
    }

    /// What was sold of each product day by day, at most 31 days; the parameters are those of ``figures(from:to:)``.
    public func sales(from: String? = nil, to: String? = nil) async throws -> [SalesBody.Sale] {
        try await send(.get(["figures", "sales"], query: filters(["from": from, "to": to])), as: SalesBody.self).sales
    }

    /// Prepaid means: what is outstanding and issued, the law's limits, and what is kept apart.
    public func prepaid() async throws -> PrepaidBody { try await send(.get(["prepaid"])) }

    /// Enters what a custodian held; a repeat with the same key returns the same balance.
    public func enter(_ balance: CustodyBalanceRequest, key: IdempotencyKey) async throws -> CustodyBalanceBody {
        try await send(.post(["custody-balances"], balance, key: key))
    }

    /// What custodians held, the last entered first.
    public func custodyBalances(pageSize: Int = 20) -> Listing<CustodyBalanceBody> {
        listing(["custody-balances"], pageSize: pageSize)
    }

    /// What is still to be decided.
    public func openItems() async throws -> OpenItemsBody { try await send(.get(["open-items"])) }

    /// What is happening now; the token needs the scope `support` or `finance:read`.
    public func live() async throws -> LiveBody { try await send(.get(["live"])) }
}
