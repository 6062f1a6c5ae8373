/// The result of importing a settlement file.
public struct SettlementReportBody: Codable, Hashable, Sendable {
    /// The file.
    public let settlement: SettlementBody
    /// The number of lines booked now.
    public let settledNow: Int64
    /// Unreadable lines that were skipped on request.
    public let skipped: [String]
    /// Lines that are no payouts: totals, and titles below the header.
    public let leftOut: [String]

    private enum CodingKeys: String, CodingKey {
        case settlement, skipped
        case settledNow = "settled_now"
        case leftOut = "left_out"
    }

    /// Creates it from its members.
    public init(
        settlement: SettlementBody, settledNow: Int64, skipped: [String], leftOut: [String]
    ) {
        self.settlement = settlement
        self.settledNow = settledNow
        self.skipped = skipped
        self.leftOut = leftOut
    }
}

/// The preview of importing a settlement file.
public struct SettlementPreviewBody: Codable, Hashable, Sendable {
    /// The number of lines with a known payment.
    public let matched: Int64
    /// The totals of these lines.
    public let totals: SettlementTotalsBody
    /// Some of the lines with an unknown payment.
    public let unmatched: [SettlementRowBody]
    /// The number of lines with an unknown payment.
    public let unmatchedCount: Int64
    /// Unreadable lines that would be skipped.
    public let skipped: [String]
    /// Lines that are no payouts: totals, and titles below the header.
    public let leftOut: [String]

    private enum CodingKeys: String, CodingKey {
        case matched, totals, unmatched, skipped
        case unmatchedCount = "unmatched_count"
        case leftOut = "left_out"
    }

    /// Creates it from its members.
    public init(
        matched: Int64, totals: SettlementTotalsBody, unmatched: [SettlementRowBody], unmatchedCount: Int64,
        skipped: [String], leftOut: [String]
    ) {
        self.matched = matched
        self.totals = totals
        self.unmatched = unmatched
        self.unmatchedCount = unmatchedCount
        self.skipped = skipped
        self.leftOut = leftOut
    }
}
