/// An Excel workbook (xlsx, ECMA-376): the sheets that can be seen, as text.
///
/// Everything is bounded by ``SpreadsheetLimits``, whatever the file says of itself.
struct Spreadsheet {
    struct Sheet {
        let name: String
        /// CSV in UTF-8 whose lines are the rows; see ``SheetPart``.
        let text: [UInt8]
    }

    let sheets: [Sheet]

    /// Whether a file that begins as a zip is a workbook.
    static func isWorkbook(_ bytes: [UInt8]) -> Bool {
        guard let archive = try? ZipArchive(bytes) else { return false }
        return archive.contains("xl/workbook.xml")
    }

    init(_ bytes: [UInt8], limits: SpreadsheetLimits = SpreadsheetLimits()) throws(SpreadsheetFault) {
        let archive = try ZipArchive(bytes)
        var left = limits.unpacked
        let workbook = WorkbookPart(limits)
        try archive.read("xl/workbook.xml", within: &left, into: XMLReader(workbook))
        let parts = RelationshipsPart()
        try archive.read("xl/_rels/workbook.xml.rels", within: &left, into: XMLReader(parts))
        let styles = StylesPart()
        if let path = parts.path(ofType: "styles"), archive.contains(path) {
            try archive.read(path, within: &left, into: XMLReader(styles))
        }
        let shared = SharedTextsPart(limits)
        if let path = parts.path(ofType: "sharedStrings"), archive.contains(path) {
            try archive.read(path, within: &left, into: XMLReader(shared))
        }
        var room = limits
        var sheets: [Sheet] = []
        for sheet in workbook.sheets {
            guard let part = parts.targets[sheet.id], part.type == "worksheet" else { continue }
            let rows = SheetPart(
                room, sharedTexts: shared.texts, isDate: styles.isDate, countsFrom1904: workbook.countsFrom1904)
            try archive.read(part.path, within: &left, into: XMLReader(rows))
            guard rows.text.contains(where: { $0 != UInt8(ascii: "\n") }) else { continue }
            room.text -= rows.text.count
            sheets.append(Sheet(name: sheet.name, text: rows.text))
        }
        guard !sheets.isEmpty else { throw .empty }
        self.sheets = sheets
    }
}
