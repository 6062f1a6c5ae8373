import Foundation
import HTTPTestSupport
import Hummingbird
import Synchronization
import Testing

@testable import LedgerServer

/// What no operation describes is refused before it runs: asked of every operation.
@Suite(.timeLimit(.minutes(20))) struct StrictRequestsTests {
    /// The operations whose senders we can't change, or that read nothing.
    private static let ignoring: Set<String> = [
        "GET /v1/store/item/list", "POST /v1/store/pay/validation", "POST /webhooks/portone/v1",
        "POST /webhooks/portone/v2", "GET /health/live", "GET /health/ready", "GET /metrics", "GET /openapi.json",
        "GET /docs", "GET /docs/{page}", "POST /webhooks/app-store", "POST /webhooks/google-play", "POST /mcp",
    ]

    /// Counts what ran.
    private final class Ran: Sendable {
        private let calls = Mutex<[String]>([])
        func add(_ name: String) { calls.withLock { $0.append(name) } }
        func take() -> [String] {
            calls.withLock { calls in
                defer { calls = [] }
                return calls
            }
        }
    }

    /// - Parameters:
    ///   - scopes: what the caller may do.
    ///   - isOffered: whether the service offers an operation.
    private static func house(
        _ ran: Ran = Ran(), scopes: Scope = everything, isOffered: (LedgerServer.Operation) -> Bool = { _ in true }
    ) -> TestHouse {
        let offered = LedgerServer.Operation.all.filter(isOffered)
        return TestHouse { router in
            router.add(
                middleware: StrictRequests(LedgerServer.Operation.all, offered: offered) { _ in scopes })
            for operation in LedgerServer.Operation.all {
                let name = "\(operation.method) \(operation.path)"
                router.on(RouterPath(operation.path), method: operation.method) { _, _ in
                    ran.add(name)
                    return "done"
                }
            }
            router.get("/") { _, _ in "first" }
        }
    }

    private static let everything: Scope = [.user, .service, .finance, .support, .events, .endpoints, .refundsApprove]

    /// A path of the operation.
    private static func path(_ operation: LedgerServer.Operation) -> String {
        operation.path.replacing(/\{\w+\}/, with: "7")
    }

    @Test func `the document has every operation, with its parameters`() throws {
        #expect(
            LedgerServer.Operation.all.count == APIDocument.own.operations.count
                && LedgerServer.Operation.all.count > 100)
        for described in APIDocument.own.operations {
            let operation = try #require(LedgerServer.Operation.all.first { $0.id == described.id })
            #expect(operation.method.rawValue == described.method.uppercased() && operation.path == described.path)
            #expect(
                operation.queryParameters.sorted()
                    == described.parameters.filter { $0.place == "query" }.map(\.name).sorted())
            #expect((operation.body == nil) == described.bodies.isEmpty, "\(operation.id)")
        }
        let ignoring = LedgerServer.Operation.all.filter { $0.traits.contains(.ignoresUnknown) }
        #expect(Set(ignoring.map { "\($0.method) \($0.path)" }) == Self.ignoring)
    }

    @Test func `an unknown or repeated parameter is refused by every operation, and nothing runs`() async throws {
        let ran = Ran()
        try await Self.house(ran).test { client in
            for operation in LedgerServer.Operation.all {
                let (method, ignoresUnknown) = (operation.method, operation.traits.contains(.ignoresUnknown))
                let path = Self.path(operation)
                let known = operation.queryParameters.first
                for (query, member) in [("zzz=1", "zzz")] + (known.map { [("\($0)=1&\($0)=1", $0)] } ?? []) {
                    let answer = try await client.execute(uri: "\(path)?\(query)", method: method)
                    guard !ignoresUnknown else {
                        #expect(answer.status == .ok, "\(method) \(path)?\(query)")
                        continue
                    }
                    #expect(answer.status == .badRequest, "\(method) \(path)?\(query): \(answer.text)")
                    #expect(answer.json["code"] as? String == "invalid_request")
                    #expect(answer.json["member"] as? String == member, "\(answer.text)")
                }
                let expected = ignoresUnknown ? ["\(operation.method) \(operation.path)"] : []
                #expect(Set(ran.take()) == Set(expected))
                _ = try await client.execute(uri: path + (known.map { "?\($0)=1" } ?? "?"), method: method)
                #expect(ran.take() == ["\(operation.method) \(operation.path)"], "what it describes is let in")
            }
        }
    }

    @Test func `a body is refused where none is described, and nothing runs`() async throws {
        let ran = Ran()
        let body = ByteBuffer(string: #"{"coins": 10}"#)
        try await Self.house(ran).test { client in
            for operation in LedgerServer.Operation.all
            where operation.body == nil && !operation.traits.contains(.ignoresUnknown) {
                let method = operation.method
                let answer = try await client.execute(uri: Self.path(operation), method: method, body: body)
                #expect(answer.status == .badRequest && answer.json["member"] as? String == "body", "\(answer.text)")
                let long = ByteBuffer(repeating: 0x20, count: 65)
                let blank = try await client.execute(uri: Self.path(operation), method: method, body: long)
                #expect(blank.status == .badRequest, "\(operation.path): no more is read than needed")
                #expect(ran.take().isEmpty)
                for empty in ["", "{}", " {\n} "] {
                    _ = try await client.execute(
                        uri: Self.path(operation), method: method, body: ByteBuffer(string: empty))
                    #expect(ran.take() == ["\(operation.method) \(operation.path)"], "some clients always send {}")
                }
            }
        }
    }

    @Test func `HEAD is as strict as GET, and a refused method is still named`() async throws {
        try await Self.house().test { client in
            try await client.execute(uri: "/v1/holds/7?zzz=1", method: .head) { #expect($0.status == .badRequest) }
            try await client.execute(uri: "/v1/holds/7", method: .head) { #expect($0.status == .ok) }
            try await client.execute(uri: "/v1/holds/7?zzz=1", method: .delete) {
                #expect($0.status == .methodNotAllowed && $0.headers[.allow] == "GET, HEAD")
            }
            try await client.execute(uri: "/?zzz=1", method: .get) { #expect($0.status == .ok) }
        }
    }

    @Test(arguments: [
        ("/v1/purchases/5/refund", "/v1/purchases/{id}/refunds"),
        ("/v1/purchase/5/refunds", "/v1/purchases/{id}/refunds"),
        ("/products", "/v1/products"), ("/api/v1/products", "/v1/products"), ("/v1/product", "/v1/products"),
        ("/v1/user/ann/balance", "/v1/users/{user}/balance"), ("/v1/users/balance", "/v1/users/{user}/balance"),
        ("/v1/balance", "/v1/me/balance"), ("/v1/holds/7/captures", "/v1/holds/{id}/capture"),
        ("/v1/periods/closed", "/v1/periods/close"), ("/opanapi.json", "/openapi.json"),
        ("/V1/products", "/v1/products"),
        ("/etc/passwd", nil), ("/x", nil), ("/v1/users/ann", nil), ("/%2e%2e/x", nil),
        ("/" + String(repeating: "v1/", count: 40), nil), ("/v1/" + String(repeating: "x", count: 300), nil),
    ])
    func `an unknown path names the one that was probably meant`(path: String, meant: String?) async throws {
        try await Self.house().test { client in
            let answer = try await client.execute(uri: path, method: .get)
            #expect(answer.status == .notFound && answer.json["code"] as? String == "not_found")
            let detail = answer.json["detail"] as? String
            #expect(detail == "the path is unknown" + (meant.map { "; did you mean \($0)?" } ?? ""))
        }
    }

    @Test(
        arguments: [
            ("/v1/products", [], nil), ("/v1/product", [], "/v1/products"), ("/v1/finding", [], nil),
            ("/v1/finding", .user, nil), ("/v1/finding", .financeRead, "/v1/findings"),
            ("/v1/balance", .user, "/v1/me/balance"),
            ("/v1/balance", .financeRead, nil), ("/v1/endpoint", .endpoints, nil),
        ] as [(String, Scope, String?)])
    func `a path is suggested only to callers who may call it, if the service offers it`(
        path: String, scopes: Scope, meant: String?
    ) async throws {
        try await Self.house(scopes: scopes) { !$0.path.hasPrefix("/v1/endpoints") }.test { client in
            let answer = try await client.execute(uri: path, method: .get)
            let detail = answer.json["detail"] as? String
            guard answer.status == .notFound else { return #expect(path == "/v1/products") }
            #expect(detail == "the path is unknown" + (meant.map { "; did you mean \($0)?" } ?? ""), "\(path)")
        }
    }

    @Test func `a known path with a method that nobody knows gets no suggestion`() async throws {
        try await Self.house().test { client in
            let answer = try await client.execute(uri: "/v1/products", method: try #require(HTTPRequest.Method("BREW")))
            #expect(answer.status == .notFound && answer.json["detail"] as? String == "the path is unknown")
        }
    }
}
