import Foundation
import Ledger
import Timing

/// An item of the timeline as a row of the page.
struct TimelineRow {
    let values: [String: Any]

    init(_ item: TimelineItem, of user: UserID, _ visit: Visit) {
        var row: [String: Any]
        switch item {
        case .entry(let entry):
            row = [
                "kind": visit.text("entry_\(entry.kind)"), "detail": entry.reason ?? "", "reference": entry.reference,
                "coins": entry.coins == 0 ? "" : (entry.coins > 0 ? "+" : "") + Show.number(entry.coins),
                "balance": Show.number(entry.balance),
            ]
            row["links"] = CustomerActs.links(from: .entry(entry), of: user, visit)
        case .receipt(let receipt):
            row = [
                "kind": visit.text("receipt_\(receipt.status.rawValue)"),
                "detail": visit.why(receipt.reason),
                "reference": "\(receipt.payment.paymentID) \(receipt.payment.merchantUID)",
                "tone": Self.tone(receipt.status),
            ]
            // The waiting ones are in the table of their own, which has the name.
            if receipt.status != .waiting { row["anchor"] = "receipt-\(receipt.id)" }
        case .order(let order):
            let status = order.status(at: Time.current.now)
            row = [
                "kind": visit.text("order_\(status.rawValue)"), "anchor": "order-\(order.id)",
                "detail": "\(order.product), \(Show.money(order.price.amount, order.price.currency.code))",
                "reference": order.merchantUID,
            ]
        case .note(let note):
            row = ["kind": visit.text("noteTitle"), "detail": note.text, "reference": note.writtenBy]
        }
        row["time"] = visit.time(item.at)
        values = row
    }

    private static func tone(_ status: StoredReceipt.Status) -> String {
        switch status {
        case .credited: "good"
        case .waiting: "wait"
        case .refused, .abandoned: "bad"
        }
    }

    static let texts: [ConsoleText] = [
        .init("receipt_waiting", "receipt waits", "결제 확인 대기"),
        .init("receipt_credited", "receipt credited", "결제 확인 후 적립"),
        .init("receipt_refused", "receipt refused", "결제 확인 거절"),
        .init("receipt_abandoned", "receipt abandoned", "확인 중단"),
        .init("order_open", "order, open", "주문 (미결제)"), .init("order_paid", "order, paid", "주문 (결제됨)"),
        .init("order_expired", "order, expired", "주문 (만료)"),
    ]
}
