import Foundation
import Testing

/// docs/decisions/README.md lists the decisions that there are.
@Suite(.timeLimit(.minutes(20))) struct DecisionsPageTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/decisions")

    @Test func `every decision is in the index once, with its title and what superseded it`() throws {
        let listed = try text(of: "README.md").split(separator: "\n").filter { $0.hasPrefix("- ") }.map(String.init)
        #expect(listed.count > 100)
        #expect(listed.sorted() == (try files().map(line)).sorted())
    }

    @Test func `no two decisions have one number`() throws {
        let numbers = try files().map { $0.prefix(4) }
        #expect(Set(numbers).count == numbers.count, "renumber the later one")
    }

    @Test func `a decision is superseded by a later one`() throws {
        let files = try files()
        for file in files {
            for later in try successors(of: file) {
                #expect(files.contains(later) && later > file, "\(file) names \(later)")
            }
        }
    }

    /// The line of a decision in the index.
    private func line(of file: String) throws -> String {
        let number = file.prefix(4)
        let heading = try text(of: file).prefix { $0 != "\n" }
        #expect(heading.hasPrefix("# \(number): "), "\(file) begins with \(heading)")
        let title = "- [\(number)](\(file)): \(heading.dropFirst(8))"
        guard let mark = try superseded(file) else { return title }
        let part = mark.hasPrefix("**Superseded in part**") ? " in part" : ""
        let successors = try successors(of: file).map { $0.prefix(4) }.joined(separator: ", ")
        return "\(title) (superseded\(part) by \(successors))"
    }

    /// The files of the decisions that a decision says it is superseded by.
    private func successors(of file: String) throws -> [String] {
        try superseded(file)?.matches(of: /\]\(([^)]+)\)/).map { String($0.1) } ?? []
    }

    /// The paragraph below the title, if it says that the decision is superseded.
    private func superseded(_ file: String) throws -> String? {
        let paragraphs = try text(of: file).components(separatedBy: "\n\n")
        return paragraphs.dropFirst().first.flatMap { $0.hasPrefix("**Superseded") ? $0 : nil }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }.sorted()
    }

    private func text(of file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }
}
