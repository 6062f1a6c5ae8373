import Foundation
import Testing

/// docs/architecture.md follows requests through files and functions that exist, and leaves out no target and no service.
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

    @Test func `the table of targets has each target`() throws {
        let table = try section("Targets").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = table.flatMap { $0.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) } }
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
        #expect(named.sorted() == folders.sorted())
    }

    @Test func `an arrow between targets is a dependency of the package`() throws {
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let targets = package.components(separatedBy: "arget(").map { $0.drop(while: \.isWhitespace) }
        let arrows = try section("Targets").matches(of: /\n *(\w+) --> (\w+)/)
        #expect(arrows.count > 20)
        for arrow in arrows {
            let target = try #require(targets.first { $0.hasPrefix("name: \"\(arrow.1)\"") }, "\(arrow.1)")
            let dependencies = target.prefix { $0 != "]" }
            #expect(dependencies.contains("\"\(arrow.2)\""), "\(arrow.1) does not depend on \(arrow.2)")
        }
    }

    @Test func `the tables of services have each service and worker`() throws {
        let page = try section("Background services")
        let rows = page.matches(of: /\n\| `(\w+)/).map { String($0.1) }
        let workers = page.matches(of: /`WorkService<(\w+)>`/).map { String($0.1) }
        #expect(Set(rows) == (try types("Service")))
        #expect(Set(workers) == (try types("WorkItemWorker")))
    }

    /// The types of LedgerServer that are declared with a protocol as their first.
    private func types(_ name: String) throws -> Set<String> {
        var found: Set<String> = []
        for path in try sources() where path.hasPrefix("Sources/LedgerServer/") && path.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains(": \(name)") {
                let type = line.firstMatch(
                    of: /^(?:private |package )?(?:final )?(?:struct|class|actor) (\w+).*: (\w+)\b/)
                if let type, type.2 == name { found.insert(String(type.1)) }
            }
        }
        return found
    }

    /// A section of the page.
    private func section(_ title: String) throws -> String {
        String(try #require(try page().components(separatedBy: "\n## ").first { $0.hasPrefix("\(title)\n") }))
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
