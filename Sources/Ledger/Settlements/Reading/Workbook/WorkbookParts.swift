/// The relationships of a workbook's parts: the place of each by its id.
final class RelationshipsPart: XMLHandler {
    private(set) var targets: [String: (type: String, path: String)] = [:]
    let fault: SpreadsheetFault? = nil

    func begin(_ element: String, _ attributes: [String: String]) {
        guard element == "Relationship", let id = attributes["Id"], let type = attributes["Type"],
            let target = attributes["Target"], targets.count < 1000
        else { return }
        // Absolute, or below the workbook's folder.
        let path = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
        targets[id] = (type.split(separator: "/").last.map(String.init) ?? "", path)
    }

    func end(_ element: String) {}
    func text(_ bytes: UnsafeRawBufferPointer) {}

    func path(ofType type: String) -> String? { targets.values.first { $0.type == type }?.path }
}

/// The list of a workbook's sheets.
final class WorkbookPart: XMLHandler {
    /// The sheets that can be seen, in their order.
    private(set) var sheets: [(name: String, id: String)] = []
    /// Whether days are counted from 1904, as older Macs did.
    private(set) var countsFrom1904 = false
    private(set) var fault: SpreadsheetFault?
    private let limits: SpreadsheetLimits

    init(_ limits: SpreadsheetLimits) { self.limits = limits }

    func begin(_ element: String, _ attributes: [String: String]) {
        if element == "workbookPr" { countsFrom1904 = ["1", "true"].contains(attributes["date1904"] ?? "") }
        guard element == "sheet", let id = attributes["id"], (attributes["state"] ?? "visible") == "visible" else {
            return
        }
        sheets.append((String((attributes["name"] ?? "").prefix(60)), id))
        if sheets.count > limits.sheets { fault = .tooLarge }
    }

    func end(_ element: String) {}
    func text(_ bytes: UnsafeRawBufferPointer) {}
}

/// Which styles of cells show their number as a day or time.
final class StylesPart: XMLHandler {
    private var formats: [String: Bool] = [:]
    private var isInCells = false
    private(set) var isDate: [Bool] = []
    let fault: SpreadsheetFault? = nil

    func begin(_ element: String, _ attributes: [String: String]) {
        switch element {
        case "numFmt":
            guard let id = attributes["numFmtId"], let code = attributes["formatCode"], formats.count < 10_000 else {
                return
            }
            formats[id] = Self.isDate(code)
        case "cellXfs": isInCells = true
        case "xf":
            guard isInCells, isDate.count < 100_000 else { return }
            let id = attributes["numFmtId"] ?? "0"
            isDate.append(formats[id] ?? Self.isDate(numbered: Int(id) ?? 0))
        default: break
        }
    }

    func end(_ element: String) { if element == "cellXfs" { isInCells = false } }
    func text(_ bytes: UnsafeRawBufferPointer) {}

    /// The formats that need no code (ECMA-376, 18.8.30), with those of Korea.
    private static func isDate(numbered id: Int) -> Bool {
        switch id {
        case 14...17, 22, 27...31, 36, 50...54, 57...58: true
        default: false
        }
    }

    /// Whether a format shows a year or a day, outside of its quoted texts and brackets.
    static func isDate(_ code: String) -> Bool {
        var (isQuoted, isBracketed, isEscaped) = (false, false, false)
        for character in code.lowercased() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isQuoted = character != "\""
            } else if isBracketed {
                isBracketed = character != "]"
            } else {
                switch character {
                case "\"": isQuoted = true
                case "[": isBracketed = true
                case "\\", "_", "*": isEscaped = true
                case "y", "d": return true
                default: break
                }
            }
        }
        return false
    }
}

/// The texts that cells share.
final class SharedTextsPart: XMLHandler {
    private let limits: SpreadsheetLimits
    private(set) var texts: [String] = []
    private(set) var fault: SpreadsheetFault?
    private var cell: CellText
    private var count = 0

    init(_ limits: SpreadsheetLimits) {
        self.limits = limits
        cell = CellText(limits.cell)
    }

    func begin(_ element: String, _ attributes: [String: String]) {
        if element == "si" { cell.clear() }
        cell.begin(element)
    }

    func end(_ element: String) {
        cell.end(element)
        guard element == "si" else { return }
        texts.append(cell.string)
        count += cell.count
        if count > limits.text || texts.count > limits.sharedTexts { fault = .tooLarge }
    }

    func text(_ bytes: UnsafeRawBufferPointer) { if !cell.append(bytes) { fault = .tooLarge } }
}

/// The text of a cell, without what is only read aloud.
struct CellText {
    private let most: Int
    private var bytes: [UInt8] = []
    private var isOpen = false
    private var isSpoken = false

    init(_ most: Int) { self.most = most }

    var count: Int { bytes.count }
    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        (isOpen, isSpoken) = (false, false)
    }

    mutating func begin(_ element: String) {
        if element == "rPh" { isSpoken = true }
        if element == "t" || element == "v" { isOpen = true }
    }

    mutating func end(_ element: String) {
        if element == "rPh" { isSpoken = false }
        if element == "t" || element == "v" { isOpen = false }
    }

    /// - Returns: whether it is not too long.
    mutating func append(_ part: UnsafeRawBufferPointer) -> Bool {
        guard isOpen, !isSpoken else { return true }
        bytes.append(contentsOf: part)
        return bytes.count <= most
    }
}
