import Postgres

/// How much waits for people, each number counted up to ``most``, for every page of the console.
package struct WaitingCounts: Sendable, Equatable {
    /// A larger number is not counted.
    package static let most: Int64 = 100

    /// Open findings, among the oldest ``OpenItems/most`` that are not resolved.
    ///
    /// Those that the books have ended are resolved each minute (``Findings/settle(pagesOf:)``), so there are few before the first
    /// ``most`` open ones.
    package var findings: Int64 = 0
    /// Proposals that wait for a second person, or that are approved and not carried out yet.
    package var approvals: Int64 = 0
    /// Lines of settlement files without a payment that nobody dismissed.
    package var settlementLines: Int64 = 0
    /// Receipts that wait for the gateway.
    package var receipts: Int64 = 0
    /// Refunds that the gateway has not decided.
    package var refunds: Int64 = 0
    /// Open disputes.
    package var disputes: Int64 = 0
    /// Closings that wait for a second person: at most one.
    package var closings: Int64 = 0
    /// Bank accounts of providers that wait for a second person.
    package var accounts: Int64 = 0

    package init() {}
}

extension Figures {
    /// How much waits now, read in one statement.
    ///
    /// Every part reads an index of only what waits (`finding_open`, `approval_open`, `settlement_row_open`,
    /// `receipt_retry_due`, `refund_pending`, `dispute_open`, `closing_proposal_waiting_once`, `provider_account_waiting`)
    /// and stops at ``WaitingCounts/most`` rows, so it costs the same whatever the tables hold. A bitmap would read such an
    /// index as a whole (decision 0002).
    package func waitingCounts() async throws(LedgerError) -> WaitingCounts {
        try await reading {
            try await pools.lookups.withConnection { connection in
                try await connection.transaction(mode: "READ ONLY") { connection in
                    let (_, counts) = try connection.pipeline(WaitingCounts.withoutBitmaps, WaitingCounts.now)
                    return counts
                }
            }
        }
    }
}

extension WaitingCounts {
    static let withoutBitmaps = PostgresQuery<Int>.affected("SET LOCAL enable_bitmapscan = off", [])

    static let now = PostgresQuery<WaitingCounts>.one(
        """
        SELECT (SELECT count(*) FROM (SELECT FROM \(Finding.openRows(amongOldest: OpenItems.most)) LIMIT \(most)) AS counted),
            \(OpenWork.approvals.count(upTo: most)), \(OpenWork.settlementLines.count(upTo: most)),
            \(OpenWork.receipts.count(upTo: most)), \(OpenWork.undecidedRefunds.count(upTo: most)),
            \(OpenWork.disputes.count(upTo: most)),
            (SELECT count(*) FROM closing_proposal WHERE status = 'waiting'),
            (SELECT count(*) FROM (SELECT FROM provider_account WHERE \(OpenWork.accounts.first(most))) AS counted)
        """, []
    ) { row in
        var counts = WaitingCounts()
        counts.findings = try row[0]
        counts.approvals = try row[1]
        counts.settlementLines = try row[2]
        counts.receipts = try row[3]
        counts.refunds = try row[4]
        counts.disputes = try row[5]
        counts.closings = try row[6]
        counts.accounts = try row[7]
        return counts
    }
}

extension OpenWork {
    static let approvals = OpenWork(
        table: "approval", condition: "status IN ('waiting', 'approved')", since: "proposed_at")
    /// In order, or an empty table is planned to be read by `provider_account_once`, which has those in force too.
    static let accounts = OpenWork(table: "provider_account", condition: "status = 'proposed'", since: "proposed_at")
    /// Those that the page of pending refunds lists.
    fileprivate static let undecidedRefunds = OpenWork(
        table: "refund", condition: "status = 'pending'", since: "requested_at")
    fileprivate static let disputes = OpenWork(table: "dispute", condition: "status = 'open'", since: "opened_at")
}
