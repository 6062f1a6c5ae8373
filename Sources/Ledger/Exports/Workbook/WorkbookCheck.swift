import WireFormats

/// Reads a workbook back.
///
/// libxlsxwriter does not look whether its temporary files were written: on a full disk, rows are missing from a file that
/// it calls good. So each sheet must be as long as its rows and what stands around them, and each part must have its end.
struct WorkbookCheck {
    private let zip: ZipFile

    init(_ file: TemporaryFile) throws(WorkbookError) {
        zip = try ZipFile(file)
    }

    /// - Parameter rowBytes: the bytes of the rows of each sheet, in order.
    /// - Throws: ``WorkbookError`` when anything is missing.
    func check(rowBytes: [Int]) throws(WorkbookError) {
        var seen = 0
        for entry in zip.entries {
            var part = Part()
            try zip.inflate(entry) { part.add($0) }
            guard part.count == entry.count, part.isWhole else { throw .storage(0) }
            guard let number = Self.sheet(entry.name) else { continue }
            guard rowBytes.indices.contains(number - 1), part.bytesOfRows == rowBytes[number - 1] else {
                throw .storage(0)
            }
            seen += 1
        }
        guard seen == rowBytes.count else { throw .storage(0) }
    }

    /// The number of a sheet, by the name of its part, such as `xl/worksheets/sheet1.xml`.
    private static func sheet(_ name: String) -> Int? {
        let start = "xl/worksheets/sheet"
        guard name.hasPrefix(start), name.hasSuffix(".xml") else { return nil }
        return Int(name.dropFirst(start.count).dropLast(4))
    }

    /// What is to know of a part: its beginning, its end and its length.
    private struct Part {
        private static let most = 16 << 10
        private(set) var count = 0
        private var head: [UInt8] = []
        private var tail: [UInt8] = []

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            count += bytes.count
            head.append(contentsOf: bytes.prefix(Self.most - head.count))
            tail.append(contentsOf: bytes.suffix(Self.most))
            if tail.count > Self.most { tail.removeFirst(tail.count - Self.most) }
        }

        /// Whether it begins as XML, and ends with the tag that its first element begins with.
        var isWhole: Bool {
            // The theme has a line's end after its last tag.
            guard head.starts(with: Array("<?xml".utf8)), let end = tail.lastPlace(of: Array("</".utf8)),
                let last = tail.lastIndex(where: { $0 != UInt8(ascii: "\n") }), tail[last] == UInt8(ascii: ">"),
                end < last
            else { return false }
            let name = tail[(end + 2)..<last]
            return head.firstPlace(of: [UInt8(ascii: "<")] + name) != nil
        }

        /// The bytes between the tags of a sheet's rows; nil: there are no such tags.
        var bytesOfRows: Int? {
            let (open, close) = (Array("<sheetData>".utf8), Array("</sheetData>".utf8))
            guard let start = head.firstPlace(of: open), let end = tail.lastPlace(of: close) else { return nil }
            return count - (start + open.count) - (tail.count - end)
        }
    }
}

extension [UInt8] {
    fileprivate func firstPlace(of part: [UInt8]) -> Int? { places(of: part).first { self[$0...].starts(with: part) } }

    fileprivate func lastPlace(of part: [UInt8]) -> Int? { places(of: part).last { self[$0...].starts(with: part) } }

    /// The places where a part of this length can begin.
    private func places(of part: [UInt8]) -> Range<Int> { 0..<Swift.max(0, count - part.count + 1) }
}
