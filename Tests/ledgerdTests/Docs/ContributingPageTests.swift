import Foundation
import Testing

/// CONTRIBUTING.md names the folders that there are.
@Suite(.timeLimit(.minutes(20))) struct ContributingPageTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("Inside Ledger", "Sources/Ledger"), ("Inside LedgerServer", "Sources/LedgerServer"),
        ("Inside Console", "Sources/Console"),
    ])
    func `the lists of features and of what they share have each folder once`(title: String, folder: String) throws {
        let names = try code(below: "### \(title)").split(separator: "\n").flatMap { line in
            (line.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line).components(separatedBy: ", ")
        }
        #expect(names.sorted() == (try folders(in: folder)).sorted())
    }

    @Test func `each path of the layout exists, and no folder of these is left out`() throws {
        let layout = try code(below: "## Source layout")
        let paths = Set(
            layout.matches(of: /\b(?:Examples|Sources|Tests|ops|soak)\/[A-Za-z][A-Za-z-]*/).map { String($0.0) })
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: root.appending(path: path).path), "\(path)")
        }
        for parent in ["Examples", "Sources", "Tests", "ops", "soak"] {
            for folder in try folders(in: parent) where !paths.contains("\(parent)/\(folder)") {
                // One line stands for all of these.
                let isTarget = parent == "Tests" && (folder.hasSuffix("Tests") || folder.hasSuffix("Support"))
                #expect(isTarget, "\(parent)/\(folder) is in no line")
            }
        }
    }

    /// The blocks of code below a heading, up to the next heading.
    private func code(below heading: String) throws -> String {
        let page = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n\(heading)\n").dropFirst().first)
        let blocks = section.prefix(upTo: section.firstRange(of: "\n#")?.lowerBound ?? section.endIndex)
            .components(separatedBy: "```")
        return blocks.indices.filter { $0 % 2 == 1 }.map { blocks[$0] }.joined()
    }

    private func folders(in parent: String) throws -> [String] {
        let keys: Set<URLResourceKey> = [.isDirectoryKey]
        return try FileManager.default.contentsOfDirectory(
            at: root.appending(path: parent), includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles
        ).filter { try $0.resourceValues(forKeys: keys).isDirectory == true }.map(\.lastPathComponent)
    }
}
