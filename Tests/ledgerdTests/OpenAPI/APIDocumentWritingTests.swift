import Foundation
import Ledger
import LedgerWire
import PGVerifier
import Testing

@testable import LedgerServer

/// The parts of docs/openapi.json that are written from declarations; `LEDGERD_UPDATE_DOCS=1` writes them anew.
///
/// Serialized, for they are parts of one file: a test that writes another part belongs here.
@Suite(.serialized, .timeLimit(.minutes(20))) struct APIDocumentWritingTests {
    private static func declared(_ file: String) throws -> OrderedJSON {
        try OrderedJSON(Array(Data(contentsOf: GeneratedBlock.root.appending(path: "Tests/OpenAPI/\(file)"))))
    }

    /// The types of events, as their constants and examples tell of them.
    private static func events() throws -> DocumentWebhooks {
        let source = GeneratedBlock.root.appending(path: "Sources/Ledger/Events/EventType.swift")
        return DocumentWebhooks(
            source: try String(contentsOf: source, encoding: .utf8), examples: try declared("events.json"))
    }

    /// What writes the schemas, and the schemas; made once, for it reads all of LedgerWire.
    private static let made = Result {
        let writer = DocumentSchemas(
            source: try WireSource(folder: GeneratedBlock.root.appending(path: "Sources/LedgerWire")),
            declared: try declared("schemas.json"), examples: try declared("examples.json"),
            values: [
                "AuditAct": AuditAct.allCases.map(\.rawValue), "Event.type": EventType.all.map(\.rawValue),
                "Problem.code": ProblemCode.known.map(\.rawValue), "OrderRequest.gateway": Gateways.thatRegister,
                "TopUpRequest.gateway": Gateways.thatCharge,
            ], knownValues: ["StatementEntry.kind": StatementEntry.kinds])
        return (writer: writer, schemas: writer.json())
    }

    /// A part of the document stands there as it is written.
    ///
    /// - Parameter path: the members that lead to it.
    private static func expectWritten(_ part: OrderedJSON, at path: String...) throws {
        func blanks(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
        let text = part.text(width: 118 - 2 * path.count).split(separator: "\n").dropFirst().dropLast()
            .map { blanks(path.count) + $0 }.joined(separator: "\n")
        let anchors = path.enumerated().map { "\n\(blanks($0 + 1))\"\($1)\": {" } + ["\n"]
        let block = GeneratedBlock(page: "docs/openapi.json", anchors: anchors, end: "\n\(blanks(path.count))}")
        #expect(try block.committed(comparedWith: text) == text)
    }

    @Test func `paths, and what they share, are written from the operations`() throws {
        try Self.expectWritten(DocumentPaths.paths, at: "paths")
        try Self.expectWritten(DocumentPaths.parameters, at: "components", "parameters")
        try Self.expectWritten(DocumentPaths.headers, at: "components", "headers")
        try Self.expectWritten(DocumentPaths.responses, at: "components", "responses")
    }

    @Test func `schemas are written from LedgerWire`() throws {
        try Self.expectWritten(try Self.made.get().schemas, at: "components", "schemas")
    }

    @Test func `webhooks are written from the events`() throws {
        let events = try Self.events()
        #expect(events.events.map(\.type) == EventType.all.map(\.rawValue))
        #expect(try Self.declared("events.json")["events"]?.members.map(\.name) == EventType.all.map(\.rawValue))
        try Self.expectWritten(events.json, at: "webhooks")
    }

    @Test func `the page of events lists their types`() throws {
        let block = GeneratedBlock(
            page: "docs/events.md", anchors: ["\n| type | when | `data` has |\n|---|---|---|\n"], end: "\n- ")
        let table = try Self.events().table
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `examples of problems are written from the codes`() throws {
        let examples = try ProblemCodeTests.declared().map { code, advice in
            (code.rawValue, try Problem.example(of: code).openAPIExample(advice: advice))
        }
        try Self.expectWritten(.members(of: examples) { $0 }, at: "components", "examples")
    }

    @Test func `every member of a body has a known type and a description`() throws {
        func check(_ schema: OrderedJSON, _ name: String) {
            #expect(schema["unknown"] == nil, "\(name) has the type \(schema["unknown"]?.text ?? "")")
            for member in schema["properties"]?.members ?? [] {
                let isDescribed = member.value["description"]?.text?.isEmpty == false
                #expect(isDescribed, "\(name).\(member.name) has no description")
                check(member.value["items"] ?? member.value, "\(name).\(member.name)")
            }
        }
        for schema in try Self.made.get().schemas.members {
            #expect(schema.value["description"] != nil, "\(schema.name)")
            check(schema.value, schema.name)
        }
    }

    @Test func `every example has the members of its schema`() throws {
        for schema in try Self.made.get().schemas.members {
            guard let properties = schema.value["properties"]?.members.map(\.name) else { continue }
            let required = schema.value["required"]?.elements.compactMap(\.text) ?? []
            for example in schema.value["examples"]?.elements ?? [] {
                let names = Set(example.members.map(\.name))
                #expect(names.isSubset(of: properties) && names.isSuperset(of: required), "\(schema.name): \(names)")
            }
        }
    }

    @Test func `examples and values are of schemas that exist, and each schema is used`() throws {
        let (writer, schemas) = try Self.made.get()
        let names = Set(schemas.members.map(\.name))
        #expect(names.isSuperset(of: writer.examples.members.map(\.name)))
        #expect(names.isSuperset(of: writer.values.keys.map { String($0.prefix { $0 != "." }) }))
        let parts = [DocumentPaths.paths, DocumentPaths.responses, try Self.events().json, schemas]
        let used = Set(parts.flatMap { $0.line.matches(of: /#\/components\/schemas\/(\w+)/).map { String($0.1) } })
        #expect(names == used, "\(names.symmetricDifference(used).sorted())")
    }

    @Test func `the members that are read are those that samples of the types have`() throws {
        let bodies = try Self.made.get().writer.source.bodies
        let golden = GeneratedBlock.root.appending(path: "Tests/Golden/bodies.txt")
        var compared: Set<String> = []
        var body: WireSource.Body?
        for line in try String(contentsOf: golden, encoding: .utf8).split(separator: "\n") {
            guard line.hasPrefix("  {") else {
                body = bodies[String(line.prefix { $0 != "," })]
                continue
            }
            guard let body, body.name != "ProblemBody" else { continue }
            let names = Set(try OrderedJSON(Array(line.utf8)).members.map(\.name))
            let all = Set(body.members.map(\.name))
            #expect(names.isSuperset(of: body.members.filter { !$0.isOptional }.map(\.name)), "\(line)")
            #expect(compared.insert(body.name).inserted ? names == all : names.isSubset(of: all), "\(line)")
        }
        #expect(compared.count > 130)
    }

    @Test func `texts that a schema allows are those that the service reads`() throws {
        let schemas = try Self.made.get().schemas
        func expect(_ schema: OrderedJSON?, _ name: String, allows isRead: (String) -> Bool) throws {
            let schema = try #require(schema, "\(name)")
            let pattern = try Regex(try #require(schema["pattern"]?.text, "\(name)"))
                .matchingSemantics(.unicodeScalar)
            let least = try #require(schema["minLength"].flatMap { Int($0.line) }, "\(name)")
            let most = try #require(schema["maxLength"].flatMap { Int($0.line) }, "\(name)")
            let long = String(repeating: "0", count: most)
            let short = ["", "0", ".", "..", ".a", "a-_Z", "a b", "a/b", "a+b", "\u{7}", "a\u{85}b", "한"]
            for text in short + [long, long + "0"] {
                let isAllowed = (least...most).contains(text.unicodeScalars.count) && text.contains(pattern)
                let isTaken = isRead(text)
                #expect(isAllowed == isTaken, "\(name): \(text.debugDescription.prefix(20))")
            }
        }
        func expectMember(_ body: String, _ member: String, allows isRead: (String) -> Bool) throws {
            try expect(schemas[body]?["properties"]?[member], "\(body).\(member)", allows: isRead)
        }
        for part in ["bank", "number", "holder"] {
            try expectMember("ProviderAccountRequest", part, allows: BankAccount.isPart)
        }
        try expectMember("TopUpRequest", "billing_key") {
            NonEmpty.fault(of: $0) == nil && $0.unicodeScalars.count <= TopUpRequestBody.longestKey
        }
        try expectMember("AppStoreReceiptRequest", "transaction_id") { (try? TransactionID($0)) != nil }
        try expectMember("AppStoreReceiptRequest", "signed_transaction") {
            SecretTexts.plain($0) != nil && $0.utf8.count <= SignedText.maxLength
        }
        try expectMember("GooglePlayReceiptRequest", "purchase_token") { (try? PurchaseToken($0)) != nil }
        for name in ["app", "product_id"] {
            try expect(Self.parameter(name, of: "setStoreProduct"), name) { NonEmpty.fault(of: $0) == nil }
        }
    }

    @Test func `spends to take back are as many as one act takes, and each once`() throws {
        let body = try Self.made.get().schemas["TakeBackRequest"]?["properties"]?["spends"]
        for schema in [body, Self.parameter("spends", of: "quoteTakeBack")] {
            #expect(schema?["minItems"] == 1 && schema?["uniqueItems"] == true && schema?["items"]?["minimum"] == 1)
            #expect(schema?["maxItems"]?.line == "\(TakeBackAndRefund.mostRedemptions)")
        }
    }

    private static func parameter(_ name: String, of operation: String) -> OrderedJSON? {
        Operation.all.first { $0.id == operation }?.parameters.first { $0.name == name }?.value.schema
    }

    @Test func `doc comments state only facts that are written`() throws {
        let source = try Self.made.get().writer.source
        let comments = source.bodies.values.flatMap { $0.members.map(\.comment) } + source.aliases.values.map(\.comment)
        #expect(comments.flatMap(\.names).filter { !DocComment.known.contains($0) } == [])
    }
}

extension Problem {
    /// An example of the OpenAPI document.
    ///
    /// - Parameter advice: what the problem means and what to do.
    fileprivate func openAPIExample(advice: String) throws -> OrderedJSON {
        ["summary": .string(code.title), "description": .string(advice), "value": try body()]
    }
}
