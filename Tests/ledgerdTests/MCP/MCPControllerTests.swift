import HTTPTestSupport
import HTTPTypes
import Hummingbird
import Testing
import WireFormats

@testable import LedgerServer

/// The Model Context Protocol over HTTP, before an API whose look-ups only say what they were asked.
@Suite(.timeLimit(.minutes(20))) struct MCPControllerTests {
    /// Lends a client, with a token of some scopes.
    private static func open(
        scope: String = "support", _ body: @Sendable (Agent) async throws -> Void
    ) async throws {
        let verifier = try await TestHouse.verifier()
        let house = TestHouse { router in
            let appKeys = AppKeys([])
            for tool in MCPTool.all {
                router.add(tool.operation, tokens: verifier, appKeys: appKeys) { request, context in
                    if context.parameters.get("user") == "nobody" { throw Problem(.notFound, "nobody is unknown") }
                    let said = JSON.object(["asked": .string(request.uri.string), "id": .string(context.requestID)])
                    var response = Response(encodedJSON: ByteBuffer(string: said.written))
                    if context.parameters.get("user") == "old" { response.headers[.mergedInto] = "jill%20lee" }
                    return response
                }
            }
            for route in MCPController.routes {
                guard let handler = route.handler(MCPController(api: router.buildResponder())) else { continue }
                router.add(route.operation, tokens: verifier, appKeys: appKeys, use: handler)
            }
        }
        let token = try await TestHouse.token(sub: "kim", scope: scope)
        try await house.test { try await body(Agent(client: $0, token: token, log: house.log)) }
    }

    private struct Agent: Sendable {
        let client: TestClient
        let token: String
        let log: LogCapture

        func send(_ text: String, _ more: HTTPFields = [:]) async throws -> TestResponse {
            var headers = more
            headers[.authorization] = "Bearer " + token
            headers[.contentType] = "application/json"
            return try await client.execute(
                uri: "/mcp", method: .post, headers: headers, body: ByteBuffer(string: text))
        }

        /// The reply to a request.
        func ask(_ method: String, _ params: String = "{}") async throws -> JSON {
            let answer = try await send(#"{"jsonrpc": "2.0", "id": "a", "method": "\#(method)", "params": \#(params)}"#)
            #expect(answer.status == .ok, "\(answer.text)")
            let reply = try JSONParser.parse(Array(answer.body.readableBytesView))
            #expect(reply["jsonrpc"]?.text == "2.0" && reply["id"]?.text == "a", "\(answer.text)")
            return reply
        }

        func call(_ tool: String, _ arguments: String) async throws -> JSON {
            try await ask("tools/call", #"{"name": "\#(tool)", "arguments": \#(arguments)}"#)
        }
    }

    @Test func `a client of another revision is told ours, and a notification gets no reply`() async throws {
        try await Self.open { agent in
            for revision in ["2025-06-18", "2025-11-25", "2024-11-05"] {
                let hello = try await agent.ask("initialize", #"{"protocolVersion": "\#(revision)"}"#)["result"]
                #expect(hello?["protocolVersion"]?.text == "2025-06-18")
                #expect(hello?["capabilities"] == .object(["tools": .object([:])]))
                #expect(hello?["serverInfo"]?["name"]?.text == "ledgerd")
            }
            for message in [#""method": "notifications/initialized""#, #""id": 4, "result": {}"#] {
                let answer = try await agent.send(#"{"jsonrpc": "2.0", \#(message)}"#)
                #expect(answer.status == .accepted && answer.text.isEmpty, "\(answer.text)")
            }
            #expect(try await agent.ask("ping")["result"] == .object([:]))
            #expect(try await agent.ask("resources/list")["error"]?["code"]?.integer == -32601)
        }
    }

    @Test func `tools are those that the token can call`() async throws {
        for (scope, has, lacks) in [
            ("support", "getUserBalance", "listFindings"), ("finance:read", "listFindings", "getUserBalance"),
        ] {
            try await Self.open(scope: scope) { agent in
                let tools = try await agent.ask("tools/list")["result"]?["tools"]?.elements ?? []
                let names = tools.compactMap { $0["name"]?.text }
                #expect(names.contains(has) && !names.contains(lacks), "\(scope): \(names)")
                let refused = try await agent.call(lacks, #"{"user": "ann"}"#)["result"]
                #expect(refused?["isError"]?.flag == true && refused?["structuredContent"] == nil)
                let text = refused?["content"]?.elements?.first?["text"]?.text
                #expect(text?.contains(#""code":"forbidden""#) == true, "\(text ?? "")")
            }
        }
        try await Self.open(scope: "support finance:read") { agent in
            let tools = try await agent.ask("tools/list")["result"]?["tools"]?.elements
            #expect(tools?.map { $0["name"]?.text } == MCPTool.names)
            #expect(try await agent.ask("tools/list", #"{"cursor": null}"#)["error"] == nil)
            #expect(try await agent.ask("tools/list", #"{"cursor": "x"}"#)["error"]?["code"]?.integer == -32602)
        }
        for scope in ["user", "service", "events", "finance:write"] {
            try await Self.open(scope: scope) { agent in
                let answer = try await agent.send(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#)
                #expect(answer.status == .forbidden, "\(scope)")
            }
        }
    }

    @Test func `a call is the caller's request of the API, with one id and one name in the log`() async throws {
        try await Self.open { agent in
            let result = try await agent.call("getUserBalance", #"{"user": "jill lee", "at": "2026-01-01T00:00:00Z"}"#)[
                "result"]
            let said = try #require(result?["structuredContent"])
            #expect(said["asked"]?.text == "/v1/users/jill%20lee/balance?at=2026-01-01T00%3A00%3A00Z")
            #expect(result?["isError"]?.flag == false)
            let text = try #require(result?["content"]?.elements?.first?["text"]?.text)
            #expect(try JSONParser.parse(Array(text.utf8)) == said)
            let id = try #require(said["id"]?.text)
            let requests = agent.log.events.filter { $0["msg"] as? String == "request" }
            #expect(requests.map { $0["route"] as? String } == ["/v1/users/{user}/balance", "/mcp"])
            #expect(requests.allSatisfy { $0["request_id"] as? String == id && $0["person"] as? String == "kim" })
            #expect(!agent.log.lines.contains { $0.contains("jill") })
        }
    }

    @Test func `the answer about a user who was merged says whom it is about`() async throws {
        try await Self.open { agent in
            for (user, texts) in [("old", 2), ("new", 1)] {
                let result = try await agent.call("getUserBalance", #"{"user": "\#(user)"}"#)["result"]
                let content = result?["content"]?.elements ?? []
                #expect(content.count == texts && result?["structuredContent"] != nil, "\(content)")
                #expect(content.last?["text"]?.text?.contains("merged into jill lee,") == (user == "old"))
            }
        }
    }

    @Test func `what a look-up refuses is a result, and what is no call is an error`() async throws {
        try await Self.open { agent in
            for (tool, arguments, word) in [
                ("getUserBalance", #"{"user": "nobody"}"#, "not_found"), ("getUserBalance", "{}", "user is required"),
                ("getUserBalance", #"{"user": {}}"#, "must not be an object"),
            ] {
                let result = try await agent.call(tool, arguments)["result"]
                #expect(result?["isError"]?.flag == true, "\(arguments)")
                let text = result?["content"]?.elements?.first?["text"]?.text
                #expect(text?.contains(word) == true, "\(arguments): \(text ?? "")")
            }
            let unknown = try await agent.call("getUserBalence", "{}")["error"]
            #expect(unknown?["code"]?.integer == -32602)
            #expect(unknown?["message"]?.text == "the tool is unknown; did you mean getUserBalance?")
            for params in [#"{"name": "getUserBalance", "arguments": []}"#, "[]", "null", #"{"name": 7}"#] {
                #expect(try await agent.ask("tools/call", params)["error"]?["code"]?.integer == -32602, "\(params)")
            }
        }
    }

    @Test func `what is no message is refused with a problem`() async throws {
        try await Self.open { agent in
            let ping = #"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#
            for text in [
                "", "{", "[\(ping)]", "7", #"{"id": 1, "method": "ping"}"#, #"{"jsonrpc": "2.0", "id": 1}"#,
                #"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
                #"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#,
                #"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}"#,
            ] {
                let answer = try await agent.send(text)
                #expect(answer.status == .badRequest && answer.json["code"] != nil, "\(text): \(answer.text)")
            }
            let other = try await agent.send(ping, [.mcpProtocolVersion: "2026-07-28"])
            #expect(other.status == .badRequest && other.text.contains("2025-06-18"))
            let told = try await agent.send(
                #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#, [.mcpProtocolVersion: "2026-07-28"])
            #expect(told.status == .badRequest, "\(told.text)")
            #expect(try await agent.send(ping, [.mcpProtocolVersion: "2025-06-18"]).status == .ok)
            let page = try await agent.send(ping, [.origin: "https://coins.example.com"])
            #expect(page.status == .forbidden, "\(page.text)")
            let stream = try await agent.client.execute(uri: "/mcp", method: .get)
            #expect(stream.status == .methodNotAllowed && stream.headers[.allow] == "POST")
        }
    }
}
