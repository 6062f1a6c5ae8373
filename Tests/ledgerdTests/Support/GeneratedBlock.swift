import Foundation
import Synchronization
import TestSupport

/// A part of a document that is made from declarations in the code.
///
/// `LEDGERD_UPDATE_DOCS=1` writes the part anew.
struct GeneratedBlock {
    /// The document's path in the repository.
    let page: String
    /// The texts that stand before the part, one after another.
    let anchors: [String]
    /// The text that ends it.
    let end: String

    /// Between two marks of this name.
    init(page: String, name: String) {
        self.init(
            page: page, anchors: ["<!-- begin \(name): made by a test from the declarations, not to be edited -->\n"],
            end: "<!-- end \(name) -->")
    }

    init(page: String, anchors: [String], end: String) {
        self.page = page
        self.anchors = anchors
        self.end = end
    }

    /// What stands in the document.
    ///
    /// - Parameter generated: what should; it is written first where that is asked for.
    func committed(comparedWith generated: String) throws -> String {
        // Suites that write parts of one document run at the same time.
        try Self.access.withLock { _ in try compare(generated) }
    }

    private static let access = Mutex(())

    private func compare(_ generated: String) throws -> String {
        let file = Self.root.appending(path: page)
        let text = try String(contentsOf: file, encoding: .utf8)
        var start = text.startIndex
        for anchor in anchors { start = try Self.find(anchor, in: text, from: start).upperBound }
        let stop = try Self.find(end, in: text, from: start).lowerBound
        guard ProcessInfo.processInfo.environment["LEDGERD_UPDATE_DOCS"] != "1" else {
            let new = text.replacingCharacters(in: start..<stop, with: generated)
            try new.write(to: file, atomically: true, encoding: .utf8)
            return generated
        }
        return String(text[start..<stop])
    }

    /// The repository.
    static var root: URL { Golden.root }

    private static func find(_ part: String, in text: String, from start: String.Index) throws -> Range<String.Index> {
        guard let range = text.range(of: part, range: start..<text.endIndex) else {
            throw Missing(description: "there is no \(part)")
        }
        return range
    }

    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}
