import Foundation
import Testing

@testable import LedgerServer
@testable import LedgerWire

/// The documents against the declarations; `LEDGERD_UPDATE_DOCS=1` writes them anew.
///
/// Serialized, for three parts of docs/api.md are written.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ProblemCodeTests {
    /// The declarations as they stand in the source, with their comments: what to do about the problem.
    static func declared() throws -> [(code: ProblemCode, advice: String)] {
        let file = GeneratedBlock.root.appending(path: "Sources/LedgerWire/ProblemCode+Known.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declaration = /((?: {4}\/\/\/.*\n)+) {4}public static let `?\w+`? = ProblemCode\(\s*"(\w+)"/
        return source.matches(of: declaration).map { match in
            let lines = match.1.split(separator: "\n").map { $0.trimmingPrefix(#/ +/// ?/#) }
            return (ProblemCode(rawValue: String(match.2)), lines.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    @Test func `the list of codes is what is declared, each once`() throws {
        let names = ProblemCode.known.map(\.rawValue)
        #expect(try Self.declared().map(\.code.rawValue) == names)
        #expect(Set(names).count == names.count && names.count > 50)
        let page = "Sources/LedgerWire/ProblemCode+Known.swift"
        let list = try ConstantList(page: page, type: "ProblemCode", name: "known").compared()
        #expect(list.committed == list.declared)
    }

    @Test func `a code that is not known here is a name and nothing else`() {
        let code = ProblemCode(rawValue: "of_a_newer_service")
        #expect(code.rawValue == "of_a_newer_service" && code.status == 0 && code.title.isEmpty && !code.isRetryable)
        #expect(ProblemCode(rawValue: "overloaded").retryAfterSeconds == 1)
    }

    @Test func `docs api md has the codes as they are declared`() throws {
        let rows = try Self.declared().map { code, advice in
            "| `\(code)` | \(code.status) | \(code.title) | \(advice) |\n"
        }
        let table = "| code | status | title | what it means, what to do |\n|---|---|---|---|\n" + rows.joined()
        let block = GeneratedBlock(page: "docs/api.md", name: "problem codes")
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `docs api md has the refusals of acts as their operations declare them`() throws {
        let acts = LedgerServer.Operation.all.filter {
            $0.tag == .acts && $0.method.rawValue == "POST" && !$0.path.contains("/refunds")
        }
        let rows = acts.map { act in
            let codes = act.refusals.map { "\($0.status) `\($0)`" }.joined(separator: ", ")
            return "| `\(act.method.rawValue) \(act.path)` | \(codes) |\n"
        }
        let table = "| request | refusals |\n|---|---|\n" + rows.joined()
        let block = GeneratedBlock(page: "docs/api.md", name: "refusals of acts")
        #expect(rows.count > 5)
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `docs api md has the example of a problem`() throws {
        let example = "```json\n\(try Problem.example(of: .amountMismatch).body().text())\n```\n"
        let block = GeneratedBlock(page: "docs/api.md", name: "example of a problem")
        #expect(try block.committed(comparedWith: example) == example)
    }

    @Test func `docs openapi json describes the members of the examples`() throws {
        let problem = try OrderedJSON(APIDocument.json)["components"]?["schemas"]?["Problem"]?["properties"]
        let described = Set(try #require(problem).members.map(\.name))
        for example in Problem.examples {
            #expect(described.isSuperset(of: example.members.map(\.name)), "\(example.code)")
        }
        #expect(Problem.examples.allSatisfy { !$0.members.isEmpty })
    }
}
