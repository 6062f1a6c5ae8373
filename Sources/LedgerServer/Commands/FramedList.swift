import Ledger

/// Names and values in a box, for what a reader looks for in a terminal.
struct FramedList {
    private let rows: [(name: String, value: String)]

    /// - Parameter rows: those without a value are left out.
    init(_ rows: [(name: String, value: String?)]) {
        self.rows = rows.compactMap { row in row.value.map { (row.name, $0) } }
    }

    /// The box, with the values one below the other.
    var text: String {
        let column = rows.map(\.name.terminalWidth).max() ?? 0
        let lines = rows.map { Self.padded($0.name, to: column) + "  " + $0.value }
        let width = lines.map(\.terminalWidth).max() ?? 0
        let edge = String(repeating: "─", count: width + 2)
        let body = lines.map { "│ \(Self.padded($0, to: width)) │" }
        return (["┌\(edge)┐"] + body + ["└\(edge)┘"]).joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.terminalWidth)
    }
}

/// All elements of a list, page by page.
func collect<Element, Cursor>(
    _ page: (Cursor?) async throws -> Page<Element, Cursor>
) async throws -> [Element] {
    var found: [Element] = []
    var cursor: Cursor?
    repeat {
        let next = try await page(cursor)
        found += next.elements
        cursor = next.next
    } while cursor != nil
    return found
}
