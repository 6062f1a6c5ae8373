/// What importing a settlement file came to.
public struct SettlementReportBody: Codable, Hashable, Sendable {
    /// The file.
    public let settlement: SettlementBody
    /// How many rows were booked now.
    public let settledNow: Int64
    /// Rows that could not be read, and were left out because that was asked for.
    public let skipped: [String]

    private enum CodingKeys: String, CodingKey {
        case settlement, skipped
        case settledNow = "settled_now"
    }

    /// Creates it of its members.
    public init(
        settlement: SettlementBody, settledNow: Int64, skipped: [String]
    ) {
        self.settlement = settlement
        self.settledNow = settledNow
        self.skipped = skipped
    }
}

/// What importing a settlement file would come to.
public struct SettlementPreviewBody: Codable, Hashable, Sendable {
    /// How many rows are of a payment of ours.
    public let matched: Int64
    /// What those add up to.
    public let totals: SettlementTotalsBody
    /// Rows that are of none, the first ones.
    public let unmatched: [SettlementRowBody]
    /// How many are of none.
    public let unmatchedCount: Int64
    /// Rows that can't be read, and would be left out.
    public let skipped: [String]

    private enum CodingKeys: String, CodingKey {
        case matched, totals, unmatched, skipped
        case unmatchedCount = "unmatched_count"
    }

    /// Creates it of its members.
    public init(
        matched: Int64, totals: SettlementTotalsBody, unmatched: [SettlementRowBody], unmatchedCount: Int64,
        skipped: [String]
    ) {
        self.matched = matched
        self.totals = totals
        self.unmatched = unmatched
        self.unmatchedCount = unmatchedCount
        self.skipped = skipped
    }
}
