import CivilTime
import Ledger
import LedgerWire

extension ClosingChecklistBody {
    init(_ checklist: ClosingChecklist) {
        self.init(
            from: checklist.from, until: checklist.until, isClear: checklist.isClear,
            items: checklist.items.map { item in
                Item(
                    name: item.question.rawValue, open: item.open.count, oldestAt: item.open.oldest,
                    examples: item.open.examples)
            })
    }
}

extension ClosingChecklist {
    /// The questions as a table for a terminal.
    var text: String {
        let rows = items.map { item -> [TextTable.Cell] in
            let more = item.open.count > Int64(item.open.examples.count) ? ", …" : ""
            return [
                .init(item.question.words), .init(item.open.count),
                .init(item.open.oldest.map(RFC3339.string) ?? ""),
                .init(item.open.examples.joined(separator: ", ") + more),
            ]
        }
        return TextTable.text([.text("CHECK"), .number("OPEN"), .text("SINCE"), .text("WHICH")], rows)
    }
}

extension ClosingChecklist.Question {
    /// The question in plain words.
    fileprivate var words: String {
        switch self {
        case .openFindings: "open findings"
        case .waitingReceipts: "receipts that wait for the gateway"
        case .pendingRefunds: "pending refunds"
        case .uncomparedDays: "days not compared with the gateway"
        case .unmatchedSettlementLines: "settlement lines without a payment"
        case .unsettledPayments: "payments not settled in time"
        case .missingAdjustments: "adjustments that are not booked"
        case .unsealedPeriods: "closed periods without a seal"
        }
    }
}
