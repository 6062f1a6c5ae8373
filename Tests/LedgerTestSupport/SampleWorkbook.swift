/// An Excel workbook as a test wants it, written by hand: what reads it must not have written it.
package struct SampleWorkbook: Sendable {
    /// A cell; a row's place in the sheet is its place in the list.
    package enum Cell: Sendable {
        case empty
        case number(String)
        /// A text in the cell itself.
        case text(String)
        /// A text that cells share.
        case shared(String)
        /// Days since 1899-12-30, shown as a day.
        case day(String)
    }

    /// The parts, by their names in the zip.
    package var parts: [(name: String, content: String)] = []

    /// A workbook of these sheets.
    package init(_ sheets: [(name: String, rows: [[Cell]])], hidden: Set<String> = []) {
        var shared: [String] = []
        var list = ""
        var relations = ""
        var pages: [(name: String, content: String)] = []
        for (index, sheet) in sheets.enumerated() {
            let number = index + 1
            let state = hidden.contains(sheet.name) ? #" state="hidden""# : ""
            list += #"<sheet name="\#(sheet.name)" sheetId="\#(number)"\#(state) r:id="rId\#(number)"/>"#
            relations += Self.relation(number, "worksheet", "worksheets/sheet\(number).xml")
            pages.append(("xl/worksheets/sheet\(number).xml", Self.sheet(sheet.rows, &shared)))
        }
        relations +=
            Self.relation(901, "styles", "styles.xml") + Self.relation(902, "sharedStrings", "/xl/sharedStrings.xml")
        let texts = shared.map { "<si><t>\(Self.escaped($0))</t><rPh><t>spoken</t></rPh></si>" }.joined()
        parts = [
            ("[Content_Types].xml", "<Types/>"),
            ("xl/workbook.xml", #"<workbook xmlns:r="r"><sheets>\#(list)</sheets></workbook>"#),
            ("xl/_rels/workbook.xml.rels", "<Relationships>\(relations)</Relationships>"),
            (
                "xl/styles.xml",
                #"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;년&quot; m&quot;월&quot;"/></numFmts>"#
                    + #"<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>"#
            ), ("xl/sharedStrings.xml", "<sst>\(texts)</sst>"),
        ]
        parts += pages
    }

    /// The file.
    package var bytes: [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for part in parts {
            let (name, content) = (Array(part.name.utf8), Array(part.content.utf8))
            let sizes =
                Self.number(Self.crc(content), 4) + Self.number(content.count, 4) + Self.number(content.count, 4)
            // Stored, without a date.
            let common = Self.number(20, 2) + Self.number(0, 8) + sizes + Self.number(name.count, 2) + Self.number(0, 2)
            directory += Self.number(0x0201_4B50, 4) + Self.number(20, 2) + common + Self.number(0, 10)
            directory += Self.number(file.count, 4) + name
            file += Self.number(0x0403_4B50, 4) + common + name + content
        }
        let end =
            Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(parts.count, 2) + Self.number(parts.count, 2)
            + Self.number(directory.count, 4) + Self.number(file.count, 4) + Self.number(0, 2)
        return file + directory + end
    }

    private static func relation(_ number: Int, _ type: String, _ target: String) -> String {
        #"<Relationship Id="rId\#(number)" Type="http://x/relationships/\#(type)" Target="\#(target)"/>"#
    }

    private static func sheet(_ rows: [[Cell]], _ shared: inout [String]) -> String {
        var text = "<worksheet><sheetData>"
        for (index, row) in rows.enumerated() where !row.isEmpty {
            text += #"<row r="\#(index + 1)">"#
            for (place, cell) in row.enumerated() {
                let reference = "\(Character(UnicodeScalar(UInt8(65 + place % 26))))\(index + 1)"
                switch cell {
                case .empty: break
                case .number(let number): text += #"<c r="\#(reference)"><v>\#(number)</v></c>"#
                case .day(let number): text += #"<c r="\#(reference)" s="1"><v>\#(number)</v></c>"#
                case .text(let own): text += #"<c r="\#(reference)" t="inlineStr"><is><t>\#(escaped(own))</t></is></c>"#
                case .shared(let own):
                    text += #"<c r="\#(reference)" t="s"><v>\#(shared.count)</v></c>"#
                    shared.append(own)
                }
            }
            text += "</row>"
        }
        return text + "</sheetData></worksheet>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private static func number(_ number: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: UInt64(number) >> (8 * UInt64($0))) : 0 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
