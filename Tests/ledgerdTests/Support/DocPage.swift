import Foundation
import TestSupport
import Testing

/// A page of the documentation, or a section of it.
struct DocPage {
    let text: String

    /// - Parameter path: the page's path in the repository.
    init(_ path: String) throws {
        text = try String(contentsOf: Golden.root.appending(path: path), encoding: .utf8)
    }

    private init(text: String) { self.text = text }

    /// What stands below a heading, up to the next one.
    func section(_ title: String) throws -> DocPage {
        let sections = text.split(separator: #/\n#+ /#).dropFirst()
        return DocPage(text: String(try #require(sections.first { $0.hasPrefix("\(title)\n") }, "no section \(title)")))
    }

    /// The cells of the first table with this head, such as `list | filters`, row by row; nil: there is none.
    func table(_ head: String) -> [[String]]? {
        guard let start = text.range(of: "\n| \(head) |\n|") else { return nil }
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        return lines.prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The words of a text that are code.
    static func code(in text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { place, part in place.isMultiple(of: 2) ? nil : String(part) }
    }
}
