import CivilTime
import Foundation
import Ledger
import LedgerWire

/// Prints the result of a run.
struct ReconciliationPrinter: Sendable {
    let ledger: Ledger
    let run: ReconciliationRun
    let counts: ReconciliationCounts

    func printText() async throws {
        let period = run.period
        print(
            "reconciliation \(run.id): \(RFC3339.string(from: period.lowerBound)) to "
                + "\(RFC3339.string(from: period.upperBound)), \(run.gateways.joined(separator: ", "))\n")
        print(TextTable.text([.text("KIND"), .number("PAYMENTS")], counts.rows))
        var table = TextTable(ReconciliationItem.columns)
        var separator = "\n"
        try await eachPage { page in
            print(separator + table.lines(page.map(\.row)).joined(separator: "\n"))
            separator = ""
        }
    }

    /// Prints one JSON document, item by item.
    func printJSON() async throws {
        print(#"{"reconciliation":\#(try text(ReconciliationBody(run, counts))),"items":["#)
        var separator = ""
        try await eachPage { page in
            for item in page {
                print(separator + (try text(ReconciliationItemBody(item))))
                separator = ","
            }
        }
        print("]}")
    }

    private func text(_ value: some Encodable) throws -> String { String(buffer: try AnswerJSON.encode(value)) }

    private func eachPage(_ body: ([ReconciliationItem]) throws -> Void) async throws {
        let kinds = ReconciliationKind.allCases.filter(\.isDifference)
        var cursor: After<Int64>?
        repeat {
            let page = try await ledger.reconciliations.listItems(of: run.id, kinds, after: cursor, limit: 500)
            if !page.elements.isEmpty { try body(page.elements) }
            cursor = page.next
        } while cursor != nil
    }
}

extension ReconciliationCounts {
    fileprivate var rows: [[TextTable.Cell]] {
        ReconciliationKind.allCases.map { kind in
            let count = count(of: kind)
            return [.init(kind.rawValue), .init(count, kind.isDifference && count > 0 ? .yellow : nil)]
        } + [
            ["healed", .init(healed)], ["differences", .init(differences, differences > 0 ? .red : .green)],
        ]
    }
}

extension ReconciliationItem {
    fileprivate static let columns: [TextTable.Column] = [
        .text("DIFFERENCE"), .text("GATEWAY"), .text("IMP_UID"), .text("MERCHANT_UID"), .text("STATUS"),
        .number("PAID"), .number("CANCELLED"), .number("PURCHASE"), .number("CREDITED"), .number("REFUNDED"),
        .text("OUTCOME"),
    ]

    /// The difference: what the gateway has, and what the books have.
    fileprivate var row: [TextTable.Cell] {
        let (payment, there, here) = (comparison.payment, comparison.gateway, comparison.books)
        return [
            .init(comparison.kind?.rawValue ?? "", .yellow), .init(payment.gateway), .init(payment.paymentID),
            .init(payment.merchantUID), .init(there?.status ?? "-"), money(there?.amount, there?.currency),
            money(there?.cancelledAmount, there?.currency), .init(here.map { "\($0.purchaseID)" } ?? "-"),
            money(here?.amount, here?.currency), money(here?.refundedAmount, here?.currency),
            .init(outcome?.rawValue ?? "-"),
        ]
    }

    private func money(_ amount: Int64?, _ currency: String?) -> TextTable.Cell {
        guard let amount, let currency else { return "-" }
        return .init("\(amount) \(currency)")
    }
}
