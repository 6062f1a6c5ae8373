import Foundation
import Testing
import WireFormats

@testable import LedgerServer

/// Tools are what the API's document says of their operations.
@Suite(.timeLimit(.minutes(20))) struct MCPToolTests {
    private static func tool(_ name: String) throws -> MCPTool {
        try #require(MCPTool.all.first { $0.operation.id == name }, "\(name)")
    }

    @Test func `every tool is a look-up of support or finance that is described`() {
        #expect(MCPTool.all.map(\.operation.id) == MCPTool.names)
        for tool in MCPTool.all {
            let id = tool.operation.id
            #expect(tool.operation.method == .get && tool.operation.body == nil, "\(id)")
            #expect(tool.operation.callers.missing(from: [.support, .financeRead]) == nil, "\(id)")
            #expect(tool.listed["name"]?.text == id && tool.listed["title"]?.text == tool.operation.summary)
            #expect(tool.listed["description"]?.text?.hasPrefix(tool.operation.summary + ".") == true, "\(id)")
            #expect(tool.listed["annotations"]?["readOnlyHint"]?.flag == true, "\(id)")
        }
    }

    @Test func `schemas stand alone, and have every argument`() throws {
        for tool in MCPTool.all {
            let (id, text) = (tool.operation.id, tool.listed.written)
            #expect(!text.contains("#/components/") && !text.contains("percent-encoded"), "\(id)")
            for name in ["inputSchema", "outputSchema"] {
                let schema = try #require(tool.listed[name], "\(id)")
                #expect(schema["type"]?.text == "object", "\(id)")
                for reference in schema.written.matches(of: /"#\/\$defs\/(\w+)"/) {
                    #expect(schema["$defs"]?[String(reference.1)]?["type"] != nil, "\(id): \(reference.1)")
                }
            }
            let input = try #require(tool.listed["inputSchema"])
            guard case .object(let properties)? = input["properties"] else {
                Issue.record("\(id) has no properties")
                continue
            }
            let inPath = tool.operation.parameters.filter { $0.place == .path }.map(\.name)
            #expect(Set(properties.keys) == Set(inPath + tool.operation.queryParameters), "\(id)")
            #expect(properties.values.allSatisfy { $0["description"]?.text?.isEmpty == false }, "\(id)")
            let required = input["required"]?.elements?.compactMap(\.text) ?? []
            #expect(Set(required).isSuperset(of: inPath), "\(id)")
            #expect(input["additionalProperties"]?.flag == false, "\(id)")
        }
    }

    @Test func `arguments become a path and a query`() throws {
        let purchases = try Self.tool("listUserPurchases")
        #expect(
            try purchases.path(with: ["user": .string("ann lee/한"), "limit": .number("5"), "status": .null])
                == "/v1/users/ann%20lee%2F%ED%95%9C/purchases?limit=5")
        let findings = try Self.tool("listFindings")
        #expect(
            try findings.path(with: ["assigned": .bool(false), "kind": .array([.string("a"), .string("b")])])
                == "/v1/findings?assigned=false&kind=a%2Cb")
        #expect(try findings.path(with: ["x&y=z": .string("&")]) == "/v1/findings?x%26y%3Dz=%26")
        #expect(try Self.tool("getOpenItems").path(with: [:]) == "/v1/open-items")
        // No argument leads to another operation.
        #expect(try Self.tool("getPurchase").path(with: ["id": .string("7/refund-quote?x=1")]).hasSuffix("%3Fx%3D1"))
    }

    @Test func `an argument that is missing or no value is refused by its name`() throws {
        let balance = try Self.tool("getUserBalance")
        let wrong: [[String: JSON]] = [[:], ["user": .string("")], ["user": .null], ["user": .object([:])]]
        for arguments in wrong {
            let problem = #expect(throws: Problem.self, "\(arguments)") { try balance.path(with: arguments) }
            #expect(problem?.code == .invalidRequest && problem?.detail?.hasPrefix("user ") == true, "\(arguments)")
        }
    }
}
