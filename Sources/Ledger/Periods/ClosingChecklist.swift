package import Foundation

/// What is still open before the books are closed.
///
/// Nothing of it keeps a period from being closed: what is booked later is effective at the first open moment.
package struct ClosingChecklist: Sendable, Equatable {
    /// A question to ask before a closing.
    package enum Question: String, CaseIterable, Sendable {
        /// Findings that nobody has decided.
        case openFindings = "open_findings"
        /// Receipts that wait for the gateway.
        case waitingReceipts = "waiting_receipts"
        /// Refunds that the gateway has not decided.
        case pendingRefunds = "pending_refunds"
        /// Days since the closing before that no completed reconciliation covers.
        case uncomparedDays = "uncompared_days"
        /// Lines of settlement files without a payment in the books.
        case unmatchedSettlementLines = "unmatched_settlement_lines"
        /// Payments that the gateway has not paid out in time.
        case unsettledPayments = "unsettled_payments"
        /// Adjustments that the accounting policy of a month asks for, and revaluations of foreign currencies.
        case missingAdjustments = "missing_adjustments"
        /// Earlier closings after which the books were not sealed.
        case unsealedPeriods = "unsealed_periods"
    }

    /// A question with what is open of it.
    package struct Item: Sendable, Equatable {
        package let question: Question
        package let open: OpenRows
    }

    /// The start of the period: the closing before; without one, the first entry or the earliest payment.
    package let from: Date
    /// The end of the period, which is not in it.
    package let until: Date
    /// All questions, in the order of ``Question``.
    package let items: [Item]

    /// The number of days after which an outstanding payment is open, unless the caller says otherwise.
    package static let unsettledDays: Int64 = 14

    /// The most days that a caller may allow: ten years.
    package static let mostUnsettledDays: Int64 = 3660

    /// Whether nothing is open.
    package var isClear: Bool { items.allSatisfy { $0.open.count == 0 } }
}
