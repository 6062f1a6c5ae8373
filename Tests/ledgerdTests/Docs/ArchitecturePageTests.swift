import Foundation
import Testing

/// docs/architecture.md follows requests through files and functions that exist.
@Suite(.timeLimit(.minutes(20))) struct ArchitecturePageTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `each hop names a file and a function in it`() throws {
        let hops = try page().matches(of: /\| [0-9]+ \| `([^`]+\.swift)` \| `([A-Za-z]+)` \|/)
        #expect(hops.count >= 40)
        let files = try sources()
        for hop in hops {
            let path = String(hop.1)
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
                let name = "/" + path.split(separator: "/").suffix(1).joined()
                Issue.record("\(path) does not exist; candidates: \(files.filter { $0.hasSuffix(name) })")
                continue
            }
            let declares = ["func \(hop.2)(", "func \(hop.2)<", "var \(hop.2):"].contains { text.contains($0) }
            #expect(declares, "\(path) has no function \(hop.2)")
        }
    }

    @Test func `a request takes at most twelve hops`() throws {
        let sections = try page().split(separator: "\n## ").filter { $0.contains("| hop |") }
        #expect(sections.count == 4)
        for section in sections {
            let numbers = section.matches(of: /\n\| ([0-9]+) \|/).compactMap { Int($0.1) }
            #expect(numbers == Array(1...numbers.count))
            #expect(numbers.count <= 12, "\(section.prefix { $0 != "\n" })")
        }
    }

    private func page() throws -> String {
        try String(contentsOf: root.appending(path: "docs/architecture.md"), encoding: .utf8)
    }

    private func sources() throws -> [String] {
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        return files.compactMap { ($0 as? URL)?.path }.map { String($0.dropFirst(root.path.count + 1)) }
    }
}
