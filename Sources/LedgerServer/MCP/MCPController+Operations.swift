extension MCPController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .write(
                "callTools", .post, "/mcp", .either(.support, or: .financeRead), .operation,
                "List and call tools that only read (Model Context Protocol)",
                """
                Streamable HTTP of the protocol's revision 2025-06-18, for agents of customer support and finance: \
                `initialize`, `ping`, `tools/list`, `tools/call`. A tool is a look-up of this API and has its name; it \
                needs the scope that the look-up needs, and `tools/list` leaves out what the token can't call.
                """,
                body: Operation.Body(
                    media: [
                        .init(
                            type: "application/json",
                            schema: .any(
                                "object", required: ["jsonrpc"],
                                description: "A message of JSON-RPC 2.0: a request or a notification."),
                            examples: [
                                .init(
                                    "call", "Call a tool",
                                    [
                                        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                        "params": ["name": "getUserBalance", "arguments": ["user": "demo-user"]],
                                    ]),
                                .init(
                                    "ping", "Ask whether the service answers",
                                    ["jsonrpc": "2.0", "id": 2, "method": "ping"]),
                            ])
                    ]),
                answers: [
                    Operation.Answer(
                        200, "The reply to a request.",
                        [
                            .init(
                                type: "application/json",
                                schema: .any(
                                    "object", required: ["jsonrpc", "id"],
                                    description: "A response of JSON-RPC 2.0, with `result` or `error`."),
                                examples: [.init("pong", ["jsonrpc": "2.0", "id": 2, "result": [:]])])
                        ]),
                    Operation.Answer(202, "A notification, to which there is no reply."),
                ],
                refusals: [.malformedJSON, .repeatedMember, .unsupportedMediaType], traits: [.ignoresUnknown])
        ) { $0.take }
    ]

    /// It asks the other operations, so it is added behind them: `App.makeRouter`.
    static func make(with deps: Deps) throws -> Self? { nil }
}
