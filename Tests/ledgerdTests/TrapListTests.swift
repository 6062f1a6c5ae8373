import Foundation
import Testing

/// Every trap in the sources is counted, with its reason, in decision 0077.
@Suite(.timeLimit(.minutes(20))) struct TrapListTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `the list counts each trap that exists, and none that is gone`() throws {
        let listed = try listed()
        #expect(!listed.isEmpty)
        let found = try found()
        for file in Set(listed.keys).union(found.keys).sorted() {
            #expect(listed[file] == found[file], "\(file): docs/decisions/0077-traps.md has another number")
        }
    }

    private func listed() throws -> [String: Int] {
        let text = try String(contentsOf: root.appending(path: "docs/decisions/0077-traps.md"), encoding: .utf8)
        let rows = text.matches(of: /\| `(.+\.swift)` \| ([0-9]+) \|/)
        return Dictionary(rows.map { (String($0.1), Int($0.2) ?? 0) }, uniquingKeysWith: +)
    }

    private func found() throws -> [String: Int] {
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: [String: Int] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.hasBytes(ofOneOf: Self.words) else { continue }
            let count = text.split(separator: "\n").count(where: isTrap)
            if count > 0 { found[String(file.path.dropFirst(sources.path.count + 1))] = count }
        }
        return found
    }

    /// Every trap has one of them.
    private static let words = ["precondition", "fatalError", "assert", "unsafelyUnwrapped", "!"]

    private func isTrap(_ line: Substring) -> Bool {
        guard line.hasBytes(ofOneOf: Self.words), !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
        return line.contains(/\b(precondition|preconditionFailure|fatalError|assert|assertionFailure)\(/)
            || line.contains(/\btry!|\bas!|[A-Za-z0-9_)\]]!($|[^=A-Za-z0-9"!])|unsafelyUnwrapped/)
    }
}
