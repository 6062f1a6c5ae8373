public import Foundation

/// What is still open before the books are closed; nothing of it keeps them from being closed.
public struct ClosingChecklistBody: Codable, Hashable, Sendable {
    /// The start of the period: the closing before, or the first entry.
    public let from: Date
    /// The end of the period, exclusive.
    public let until: Date
    /// Whether nothing is open.
    public let isClear: Bool
    /// The questions, always all of them in the same order.
    public let items: [Item]

    /// A question with what is open of it.
    public struct Item: Codable, Hashable, Sendable {
        /// The question.
        ///
        /// - Values: `open_findings`, `waiting_receipts`, `pending_refunds`, `uncompared_days`,
        ///   `unmatched_settlement_lines`, `unsettled_payments`, `missing_adjustments`, `unsealed_periods`
        public let name: String
        /// How many are open, counted up to 10,000; 0: nothing is to be done.
        public let open: Member.Natural
        /// Since when the oldest is open.
        public let oldestAt: Date?
        /// The first ones: ids, days or times.
        ///
        /// - Count: `...5`
        public let examples: [String]

        private enum CodingKeys: String, CodingKey {
            case name, open, examples
            case oldestAt = "oldest_at"
        }

        /// Creates it from its members.
        public init(name: String, open: Int64, oldestAt: Date?, examples: [String]) {
            self.name = name
            self.open = open
            self.oldestAt = oldestAt
            self.examples = examples
        }
    }

    private enum CodingKeys: String, CodingKey {
        case from, until, items
        case isClear = "clear"
    }

    /// Creates it from its members.
    public init(from: Date, until: Date, isClear: Bool, items: [Item]) {
        self.from = from
        self.until = until
        self.isClear = isClear
        self.items = items
    }
}
