/// Rows in columns for a terminal: a header, two blanks between columns, and numbers to the right.
///
/// Rows can come page by page. A column is as wide as its widest cell so far, so a long list needs no memory.
struct TextTable {
    struct Column {
        let title: String
        fileprivate let isNumber: Bool

        static func text(_ title: String) -> Self { Self(title: title, isNumber: false) }
        static func number(_ title: String) -> Self { Self(title: title, isNumber: true) }
    }

    /// A cell, and the color that it has on a terminal.
    struct Cell: Equatable, ExpressibleByStringLiteral {
        let text: String
        fileprivate let color: TextColor?

        init(_ text: String, _ color: TextColor? = nil) {
            // What comes from outside must not command the terminal.
            self.text = String(text.map { $0.isControl ? "\u{FFFD}" : $0 })
            self.color = color
        }

        init(_ number: some BinaryInteger, _ color: TextColor? = nil) { self.init("\(number)", color) }

        init(stringLiteral text: String) { self.init(text) }
    }

    private let columns: [Column]
    private let isColored: Bool
    private var widths: [Int]
    private var isBegun = false

    init(_ columns: [Column], isColored: Bool = StandardOutput.isColored) {
        self.columns = columns
        self.isColored = isColored
        widths = columns.map { $0.title.terminalWidth }
    }

    /// The rows as lines, the first time below the header.
    mutating func lines(_ rows: [[Cell]]) -> [String] {
        for row in rows { widths = zip(widths, row).map { max($0, $1.text.terminalWidth) } }
        let header = isBegun ? [] : [columns.map { Cell($0.title, .bold) }]
        isBegun = true
        return (header + rows).map(line)
    }

    /// All rows below the header.
    static func text(_ columns: [Column], _ rows: [[Cell]], isColored: Bool = StandardOutput.isColored) -> String {
        var table = TextTable(columns, isColored: isColored)
        return table.lines(rows).joined(separator: "\n")
    }

    /// A row as a line, without blanks at its end.
    private func line(_ row: [Cell]) -> String {
        let end = row.lastIndex { !$0.text.isEmpty } ?? 0
        return row.indices.prefix(end + 1).map { index in
            let (cell, column) = (row[index], columns[index])
            let blanks = String(repeating: " ", count: widths[index] - cell.text.terminalWidth)
            let isLast = index == end && !column.isNumber
            let text = column.isNumber ? blanks + cell.text : cell.text + (isLast ? "" : blanks)
            return isColored ? text.painted(cell.color) : text
        }.joined(separator: "  ")
    }
}

extension String {
    /// How many cells of a terminal it takes: two for a character of East Asia or an emoji (Unicode, UAX #11).
    var terminalWidth: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }
}

extension Character {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
        0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]

    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }

    fileprivate var isWide: Bool {
        guard let first = unicodeScalars.first?.value, first >= 0x1100 else { return false }
        return Self.wide.contains { $0.contains(first) }
    }
}
