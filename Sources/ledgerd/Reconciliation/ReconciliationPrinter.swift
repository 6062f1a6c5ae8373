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
            "reconciliation \(run.id)\t\(RFC3339.string(from: period.lowerBound)) to "
                + "\(RFC3339.string(from: period.upperBound))\t\(run.gateways.joined(separator: ", "))")
        for kind in ReconciliationKind.allCases { print("\(kind.rawValue)\t\(counts.count(of: kind))") }
        print("healed\t\(counts.healed)\ndifferences\t\(counts.differences)")
        try await eachDifference { print($0.line) }
    }

    /// Prints one JSON document, item by item.
    func printJSON() async throws {
        print(#"{"reconciliation":\#(try text(ReconciliationBody(run, counts))),"items":["#)
        var separator = ""
        try await eachDifference { item in
            print(separator + (try text(ReconciliationItemBody(item))))
            separator = ","
        }
        print("]}")
    }

    private func text(_ value: some Encodable) throws -> String { String(buffer: try AnswerJSON.encode(value)) }

    private func eachDifference(_ body: (ReconciliationItem) throws -> Void) async throws {
        let kinds = ReconciliationKind.allCases.filter(\.isDifference)
        var cursor: ReconciliationCursor?
        repeat {
            let page = try await ledger.reconciliations.listItems(of: run.id, kinds, after: cursor, limit: 500)
            try page.elements.forEach(body)
            cursor = page.next
        } while cursor != nil
    }
}

extension ReconciliationItem {
    /// One line for a terminal.
    fileprivate var line: String {
        let payment = comparison.payment
        let there =
            comparison.gateway.map {
                "\($0.status) \($0.amount) \($0.currency), cancelled \($0.cancelledAmount)"
            } ?? "unknown"
        let here =
            comparison.books.map {
                "purchase \($0.purchaseID) of \($0.amount) \($0.currency), refunded \($0.refundedAmount)"
            } ?? "not credited"
        return [
            comparison.kind?.rawValue ?? "", payment.gateway, payment.impUID, payment.merchantUID, there, here,
            outcome?.rawValue ?? "",
        ].joined(separator: "\t")
    }
}
