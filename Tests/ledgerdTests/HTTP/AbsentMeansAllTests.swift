import Hummingbird
import Testing

@testable import LedgerServer

/// Members that mean all when they are left out: `null` is no way to leave them out.
@Suite(.timeLimit(.minutes(20))) struct AbsentMeansAllTests {
    /// What decodes each body of strict operations, by the name of its schema.
    private static var bodies: [String: any Decodable.Type] {
        let media = LedgerServer.Operation.all.filter { !$0.traits.contains(.ignoresUnknown) }.flatMap {
            $0.body?.media ?? []
        }
        return media.reduce(into: [:]) { found, media in
            guard case .type(let type) = media.schema, let decodable = type as? any Decodable.Type else { return }
            found[SchemaName.of(type)] = decodable
        }
    }

    /// Those that mean all in other words than the others: up to now, up to the latest one, failed or not.
    private static let inOtherWords: Set<String> = [
        "PayoutRequest.cut_off", "ReplayRequest.until", "ReplayRequest.only_failed",
    ]

    /// The members that mean all when they are left out, by their descriptions.
    private static func meaningAll() throws -> Set<String> {
        try described().reduce(into: inOtherWords) { all, body in
            for (name, schema) in optional(body.schema)
            where schema.description?.contains(/absent(?: or empty)?: (?:all|everybody)/) == true {
                all.insert("\(body.schema.name).\(name)")
            }
        }
    }

    private struct Body {
        let schema: APIDocument.Schema
        let example: OrderedJSON
    }

    /// The JSON bodies of strict operations, each once.
    private static func described() throws -> [Body] {
        let strict = Set(
            LedgerServer.Operation.all.filter { !$0.traits.contains(.ignoresUnknown) }.map { "\($0.method) \($0.path)" }
        )
        var found: [String: Body] = [:]
        for operation in APIDocument.own.operations
        where strict.contains("\(operation.method.uppercased()) \(operation.path)") {
            for media in operation.bodies where media.type == "application/json" {
                let name = try #require(media.schema.reference, "\(operation.id)")
                let schema = try #require(APIDocument.own.schemas.first { $0.name == name })
                let example = try #require(
                    media.examples.first?.value ?? APIDocument.own.example(of: schema), "\(operation.id)")
                found[name] = Body(schema: schema, example: example)
            }
        }
        return found.values.sorted { $0.schema.name < $1.schema.name }
    }

    private static func optional(_ schema: APIDocument.Schema) -> [(name: String, schema: APIDocument.Schema)] {
        schema.properties.filter { !schema.required.contains($0.name) }
    }

    private static func takesNull(_ schema: APIDocument.Schema) -> Bool {
        schema.types.contains("null") || schema.alternatives.contains { $0.types.contains("null") }
    }

    private static func decode(_ type: any Decodable.Type, _ json: OrderedJSON) throws(Problem) {
        func decoded<Value: Decodable>(_: Value.Type) throws(Problem) {
            _ = try JSONBody.decode(Value.self, from: ByteBuffer(string: json.line))
        }
        try decoded(type)
    }

    @Test func `every body of the document is known here, and decodes its example`() throws {
        let described = try Self.described()
        #expect(Set(described.map(\.schema.name)) == Set(Self.bodies.keys))
        for body in described {
            let type = try #require(Self.bodies[body.schema.name])
            #expect(throws: Never.self, "\(body.schema.name)") { try Self.decode(type, body.example) }
        }
    }

    @Test func `null is refused for exactly the members that the document says, and describes as all`() throws {
        var refused: Set<String> = []
        for described in try Self.described() {
            let type = try #require(Self.bodies[described.schema.name])
            for (name, schema) in Self.optional(described.schema) {
                let others = described.example.members.filter { $0.name != name }
                let body = OrderedJSON.object(others + [.init(name: name, value: .literal("null"))])
                let member = "\(described.schema.name).\(name)"
                guard !Self.takesNull(schema) else {
                    #expect(throws: Never.self, "\(member)") { try Self.decode(type, body) }
                    continue
                }
                refused.insert(member)
                let problem = #expect(throws: Problem.self, "\(member)") { try Self.decode(type, body) }
                #expect(problem?.code == .wrongType && problem?.status == .badRequest)
                #expect(problem?.members.first { $0.name == "pointer" }?.value == .string("/\(name)"))
                #expect(problem?.detail?.contains("leave it out to mean all") == true)
                #expect(throws: Never.self, "\(member) left out") { try Self.decode(type, .object(others)) }
            }
        }
        let all = try Self.meaningAll()
        #expect(all.count > Self.inOtherWords.count)
        #expect(refused == all, "\(refused.symmetricDifference(all).sorted())")
    }

    @Test func `what earlier versions read as all can still be read, for repeats of their requests`() throws {
        let body = ByteBuffer(string: #"{"coins": null, "reason": "x"}"#)
        #expect(throws: Problem.self) { try JSONBody.decode(RefundRequestBody.self, from: body) }
        let repeated = try JSONBody.decode(RefundRequestBody.self, from: body, droppingNulls: true)
        #expect(repeated.coins == nil && repeated.reason.value == "x")
        let part = ByteBuffer(string: #"{"coins": 10, "reason": null}"#)
        #expect(try JSONBody.decode(ReversalRequestBody.self, from: part).coins?.coins.count == 10)
    }
}
