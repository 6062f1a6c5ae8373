import CivilTime
import Foundation
import Ledger

extension DrillReport {
    /// For a terminal: a table of the totals, and what was found.
    var text: String {
        var lines: [String] = []
        if let comparison {
            lines += comparison.table + [origin(comparison), comparison.entries, comparison.head]
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
    /// Rows of columns of equal width.
    fileprivate var table: [String] {
        let titles = ["account", "currency", "debits", "credits", "live debits", "live credits", ""]
        let rows =
            [titles]
            + totals.map { row in
                let amounts = [row.restored.debits, row.restored.credits, row.live.debits, row.live.credits].map(
                    String.init)
                return [row.account.name, row.account.currency] + amounts + [row.restored == row.live ? "" : "differs"]
            }
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                return (2...5).contains(column) ? blanks + cell.0 : cell.0 + blanks
            }
            return cells.joined(separator: "  ").trimmingSuffix(while: { $0 == " " })
        }
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

extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        String(reversed().drop(while: isDropped).reversed())
    }
}
