import CivilTime
import Foundation
import Ledger

extension DrillReport {
    /// A table of the totals, and the findings.
    var text: String {
        var lines: [String] = []
        if let comparison {
            lines += [comparison.table, origin(comparison), comparison.liveServer, comparison.entries, comparison.head]
            lines += [comparison.seal.text, comparison.missing.text]
        }
        // The doctor's warnings are of the scratch server's own settings.
        lines += diagnosis?.text.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }.map(String.init) ?? []
        lines += faults.map { "\($0.code.rawValue): \($0.detail)" }
        return (lines + [holds ? "holds: the backup was restored and holds the books" : "does not hold"])
            .joined(separator: "\n")
    }

    private func origin(_ comparison: BooksComparison) -> String {
        let backup = backupAt.map { "the backup of \(RFC3339.string(from: $0))" } ?? "a backup"
        let last = comparison.restoredTo.map { "the entry of \(RFC3339.string(from: $0))" } ?? "no entry"
        return "restored: \(backup), with its WAL up to \(last)"
    }
}

extension BooksComparison {
    /// The totals of the restored and of the live books.
    fileprivate var table: String {
        TextTable.text(
            [
                .text("account"), .text("currency"), .number("debits"), .number("credits"), .number("live debits"),
                .number("live credits"), .text(""),
            ],
            totals.map { row in
                [
                    .init(row.account.name), .init(row.account.currency), .init(row.restored.debits),
                    .init(row.restored.credits), .init(row.live.debits), .init(row.live.credits),
                    row.restored == row.live ? "" : "differs",
                ]
            })
    }

    fileprivate var liveServer: String {
        "live: the \(liveOrigin.server.rawValue), with everything up to \(RFC3339.string(from: liveOrigin.time))"
    }

    fileprivate var entries: String { "entries: \(restored.entries), live then \(live.entries)" }

    fileprivate var head: String {
        restored.head == live.head
            ? "chain head: \(restored.head), as live then" : "chain head: \(restored.head), live then \(live.head)"
    }
}

extension Seal? {
    fileprivate var text: String {
        guard let content = self?.content else { return "seal: none in the backup" }
        return "seal: of \(RFC3339.string(from: content.sealedAt)), \(content.entries) entries"
    }
}

extension BooksComparison.Missing {
    fileprivate var text: String {
        let since = since.map { ", since \(RFC3339.string(from: $0))" } ?? ""
        return "entries not in the backup: \(entries)\(since)"
    }
}
