import Foundation
import Testing

/// Each mutant of `Tests/Mutants` still has the text that it changes, and tests that can notice it.
@Suite(.timeLimit(.minutes(20))) struct MutantListTests {
    @Test func `the text of every mutant is found exactly once`() throws {
        let mutants = try Mutant.all()
        #expect(mutants.count >= 60)
        #expect(Set(mutants.map(\.name)).count == mutants.count, "two mutants have one name")
        let schema = try Self.text(of: "docs/schema.sql")
        for mutant in mutants {
            let places = mutant.members.keys.filter { ["file", "function", "constraint"].contains($0) }
            #expect(places.count == 1 && mutant.members["protects"] != nil, "\(mutant.name)")
            let (text, before): (String, String)
            if let file = mutant.members["file"] {
                (text, before) = (try Self.text(of: file), mutant.before)
            } else if let function = mutant.members["function"] {
                (text, before) = (try Self.function(function, in: schema), mutant.before)
            } else {
                let words = try #require(mutant.members["constraint"]).split(separator: " ")
                (text, before) = (schema, "CONSTRAINT \(words[1]) ")
            }
            #expect(!before.isEmpty && text.components(separatedBy: before).count == 2, "\(mutant.name): \(before)")
            #expect(before != mutant.after, "\(mutant.name) changes nothing")
        }
    }

    /// Tests of texts notice every change, and those that only `--all` runs none in time.
    @Test func `every mutant is for tests of the fast tier that look at what happens`() throws {
        let sources = try Self.testSources()
        for mutant in try Mutant.all() {
            let tests = try #require(mutant.members["tests"], "\(mutant.name)").split(separator: "|")
            for test in tests {
                // A part of a test's name, or a suite with or without its target.
                let declaration = test.contains(" ") ? test : "struct \(test.split(separator: ".").last ?? test)"
                let file = sources.first { $0.hasBytes(ofOneOf: [String(declaration)]) }
                let source = try #require(file, "\(mutant.name): there is no \(test)")
                #expect(!source.contains("Effort.includesSlow"), "\(mutant.name): only --all runs \(test)")
            }
            let reading = ["SchemaFile", "MigrationFiles", "MigrationRules", "DatabaseInspection", "MutantList"]
            #expect(!reading.contains { mutant.members["tests"]?.contains($0) == true }, "\(mutant.name)")
        }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: GeneratedBlock.root.appending(path: path), encoding: .utf8)
    }

    /// The function's present definition.
    private static func function(_ name: String, in schema: String) throws -> String {
        let parts = schema.components(separatedBy: "CREATE FUNCTION public.\(name)(")
        #expect(parts.count == 2, "\(name) is defined \(parts.count - 1) times")
        return try #require(parts.last?.components(separatedBy: "\n$$;\n").first)
    }

    private static func testSources() throws -> [String] {
        let tests = GeneratedBlock.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
            try String(contentsOf: $0, encoding: .utf8)
        }
    }
}

/// A section of a file; `Tests/Mutants/run.py` tells the form.
private struct Mutant {
    let name: String
    var members: [String: String] = [:]
    private var removed: [Substring] = []
    private var added: [Substring] = []

    var before: String { removed.joined(separator: "\n") }
    var after: String { added.joined(separator: "\n") }

    init(name: String) { self.name = name }

    static func all() throws -> [Mutant] {
        let folder = GeneratedBlock.root.appending(path: "Tests/Mutants")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "mutants" }.flatMap { file in
            try read(String(contentsOf: file, encoding: .utf8))
        }
    }

    private static func read(_ text: String) -> [Mutant] {
        var mutants: [Mutant] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                mutants.append(Mutant(name: String(line.dropFirst().dropLast())))
                continue
            }
            guard let last = mutants.indices.last else { continue }
            if line.hasPrefix("- ") {
                mutants[last].removed.append(line.dropFirst(2))
            } else if line.hasPrefix("+ ") {
                mutants[last].added.append(line.dropFirst(2))
            } else if let end = line.firstRange(of: ": ") {
                mutants[last].members[String(line[..<end.lowerBound])] = String(line[end.upperBound...])
            }
        }
        return mutants
    }
}
