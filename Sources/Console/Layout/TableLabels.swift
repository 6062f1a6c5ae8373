/// The names of columns in the cells of a table, which stands row by row in a narrow window.
///
/// A template says each name once, in the table's head. `data-label` of the cells comes from there, and the style sheet
/// shows it where the head has no room: `<td data-label="{{t.amount}}">`.
struct TableLabels {
    /// The text with a label in each cell of its tables of the class `stacked`.
    ///
    /// A cell that has a label keeps it. A cell over several columns gets none.
    static func added(to text: String) -> String {
        var labels = TableLabels()
        for piece in TemplatePiece.pieces(of: text) { labels.add(piece) }
        return labels.text
    }

    /// The cells that have a column but no label, and the stacked tables that have no head: mistakes of a template.
    static func missing(in text: String) -> [String] {
        var labels = TableLabels()
        for piece in TemplatePiece.pieces(of: text) { labels.add(piece) }
        return labels.missing
    }

    private var text = ""
    private var missing: [String] = []
    /// The table that the text is in; nil: none, or one that is not stacked.
    private var head: TableHead?
    private var part = Part.outside
    /// The column of the next cell, and at which one each section of cells began.
    private var column = 0
    private var starts: [String: Int] = [:]
    private var isInCell = false

    private enum Part { case outside, head, body }

    private mutating func add(_ piece: TemplatePiece) {
        switch piece {
        case .text(let written):
            text += written
            if part == .head { head?.add(text: written) }
        case .section(let written, let name, let isInverted):
            text += written
            if part == .head { head?.add(text: written) }
            guard !isInCell else { return }
            // The two sides of a section have the same place in the row: only one of them is there.
            if isInverted, let start = starts[name] { column = start } else { starts[name] = column }
        case .tag(let tag): add(tag)
        }
    }

    private mutating func add(_ tag: TemplateTag) {
        var label: String?
        switch (tag.name, head != nil) {
        case ("table", _): head = tag.classes.contains("stacked") ? TableHead() : nil
        case ("/table", true): end()
        case ("thead", true): part = .head
        case ("/thead", true):
            head?.endRow()
            part = .body
        case ("tr", true): startRow()
        case ("th", true) where part == .head, ("td", true) where part == .head: head?.start(tag)
        case ("/th", true) where part == .head, ("/td", true) where part == .head: head?.end()
        case ("td", true), ("th", true): label = cell(tag)
        case ("/td", true), ("/th", true): isInCell = false
        default: break
        }
        text += label.map(tag.labelled) ?? tag.text
    }

    private mutating func startRow() {
        column = 0
        starts = [:]
        if part == .head { head?.endRow() }
    }

    /// The label that a cell gets; nil: none.
    private mutating func cell(_ tag: TemplateTag) -> String? {
        let start = column
        column += tag.span
        isInCell = true
        guard tag.span == 1, tag.name == "td" || tag.value(of: "scope") == "row" else { return nil }
        guard tag.value(of: "data-label") == nil else { return nil }
        guard let label = head?.label(of: start), !label.isEmpty else {
            missing.append(tag.text)
            return nil
        }
        return label
    }

    private mutating func end() {
        if head?.isEmpty ?? false { missing.append("a stacked table without headings") }
        (head, part) = (nil, .outside)
    }
}

/// The head of a table: the headings over each column, from the top row to the last.
private struct TableHead {
    private var rows: [[Int: String]] = [[:]]
    /// The columns that a heading of an earlier row reaches down into, and for how many rows more.
    private var reaching: [Int: Int] = [:]
    private var column = 0
    private var heading: (text: String, columns: Range<Int>)?

    var isEmpty: Bool { rows.allSatisfy(\.isEmpty) }

    mutating func start(_ tag: TemplateTag) {
        while let left = reaching[column], left > 0 { column += 1 }
        heading = ("", column..<column + tag.span)
        if let rows = tag.value(of: "rowspan").flatMap({ Int($0) }), rows > 1 {
            for reached in column..<column + tag.span { reaching[reached] = rows }
        }
        column += tag.span
    }

    mutating func add(text: String) { heading?.text += text }

    mutating func end() {
        guard let ended = heading else { return }
        let text = ended.text.split { $0.isWhitespace }.joined(separator: " ")
        for column in ended.columns where !text.isEmpty { rows[rows.count - 1][column] = text }
        heading = nil
    }

    mutating func endRow() {
        guard column > 0 else { return }
        rows.append([:])
        column = 0
        reaching = reaching.mapValues { $0 - 1 }
    }

    /// `Sales, won` for a heading below another.
    func label(of column: Int) -> String { rows.compactMap { $0[column] }.joined(separator: ", ") }
}
