import HTTPTypes
import Hummingbird
import WireFormats

/// The Model Context Protocol, revision 2025-06-18, for agents of customer support and finance: tools that only read.
///
/// A call of a tool is a request of the API, with the caller's own token: the same rights, checks, log line and metrics.
/// No session is kept, and nothing is sent but replies.
struct MCPController: Sendable {
    /// The revision of the protocol, and the only one.
    static let revision = "2025-06-18"

    /// Answers requests of the API.
    let api: RouterResponder<LedgerdRequestContext>

    /// `POST /mcp`: one message.
    ///
    /// - Throws: `forbidden` for a request of a page in a browser: the page could be any that reaches this address by a
    ///   name of its own (DNS rebinding).
    func take(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard request.headers[.origin] == nil else {
            throw Problem(.forbidden, "no page of a browser may send this: leave the header Origin out")
        }
        let caller = try context.requirePrincipal()
        // A user's id is in no log.
        if !caller.scopes.contains(.user) { context.record(person: caller.subject) }
        let message = try MCPMessage(Array(try await JSONBody.read(request).readableBytesView))
        if message.method != "initialize" { try Self.checkRevision(request) }
        guard let id = message.id else { return Response(status: .accepted) }
        let reply: JSON
        do {
            reply = MCPReply.result(try await result(of: message, request, context, caller.scopes), to: id)
        } catch let error as MCPError {
            reply = MCPReply.error(error, to: id)
        }
        return Response(encodedJSON: ByteBuffer(string: reply.written))
    }

    /// A client that does not name the revision has agreed on it before.
    private static func checkRevision(_ request: Request) throws(Problem) {
        guard let named = request.headers[.mcpProtocolVersion], named != revision else { return }
        throw .invalid(member: HTTPField.Name.mcpProtocolVersion.rawName, "the protocol's revision must be \(revision)")
    }

    /// - Throws: ``MCPError``.
    private func result(
        of message: MCPMessage, _ request: Request, _ context: LedgerdRequestContext, _ scopes: Scope
    ) async throws -> JSON {
        switch message.method {
        case "initialize": return Self.greeting
        case "ping": return .object([:])
        case "tools/list":
            guard (message.params["cursor"] ?? .null) == .null else {
                throw MCPError.invalidParams("all tools are on one page")
            }
            let tools = MCPTool.all.filter { $0.operation.callers.missing(from: scopes) == nil }
            return .object(["tools": .array(tools.map(\.listed))])
        case "tools/call": return try await call(message.params, request, context)
        default: throw MCPError.unknownMethod(message.method)
        }
    }

    /// What the service says of itself, whatever revision the client asked for.
    private static let greeting = JSON.object([
        "protocolVersion": .string(revision), "capabilities": .object(["tools": .object([:])]),
        "serverInfo": .object(["name": .string("ledgerd"), "version": .string(BuildInfo.current.version)]),
        "instructions": .string(
            """
            A ledger of coins that users buy and spend. All tools only read. Amounts are integers of the currency's \
            smallest unit. A list comes in pages: call it again with cursor set to next_cursor of the page before. To \
            find a user or a payment by any name, begin with searchCustomers.
            """),
    ])
}

// MARK: - Calls

extension MCPController {
    /// - Throws: ``MCPError`` for an unknown tool.
    private func call(_ params: JSON, _ request: Request, _ context: LedgerdRequestContext) async throws -> JSON {
        let name = params["name"]?.text ?? ""
        guard let tool = MCPTool.all.first(where: { $0.operation.id == name }) else {
            let problem = NearestName.sentence("the tool is unknown", name, known: MCPTool.names)
            throw MCPError.invalidParams(problem)
        }
        let arguments: [String: JSON]
        switch params["arguments"] {
        case nil, .null?: arguments = [:]
        case .object(let members)?: arguments = members
        default: throw MCPError.invalidParams("arguments must be an object")
        }
        do {
            let path = try tool.path(with: arguments)
            return try await ask(path, for: request, LedgerdRequestContext(within: context))
        } catch let problem as Problem {
            let body = problem.answer(requestID: context.requestID).body
            return Self.result(Array(body.readableBytesView), isError: true)
        }
    }

    /// Asks the API, as the caller.
    private func ask(_ path: String, for request: Request, _ context: LedgerdRequestContext) async throws -> JSON {
        var headers: HTTPFields = [:]
        for name in [HTTPField.Name.authorization, .traceparent] { headers[name] = request.headers[name] }
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: headers)
        let response = try await api.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context)
        let body = CollectedBody()
        try await response.body.write(body)
        return Self.result(
            Array(body.bytes.readableBytesView), isError: response.status != .ok,
            mergedInto: response.headers[.mergedInto].flatMap { FormText.decodePath($0) })
    }

    /// The result of a tool: what the API answered, also a problem.
    ///
    /// - Parameter user: whom the answer is about, if it is not the one who was asked for. Agents see no headers.
    private static func result(_ body: [UInt8], isError: Bool, mergedInto user: String? = nil) -> JSON {
        var texts = [String(decoding: body, as: UTF8.self)]
        if let user { texts.append("The user was merged into \(user), whom this answer is about.") }
        let content = texts.map { JSON.object(["type": .string("text"), "text": .string($0)]) }
        var result: [String: JSON] = ["content": .array(content), "isError": .bool(isError)]
        if !isError, let structured = try? JSONParser.parse(body) { result["structuredContent"] = structured }
        return .object(result)
    }

    /// The bytes of a response.
    private final class CollectedBody: ResponseBodyWriter {
        var bytes = ByteBuffer()

        func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
        func finish(_: HTTPFields?) async throws {}
    }
}
