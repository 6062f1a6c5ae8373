import HTTPTestSupport
import Hummingbird
import Testing

@testable import LedgerServer

/// Who may call each operation: asked of all of them, with every scope and with none.
@Suite(.timeLimit(.minutes(20))) struct OperationRightsTests {
    private static let appKey = "app-key-0123456789"
    private static let scopes = Scope.allNames.split(separator: ", ").map(String.init)

    /// The scopes that one operation needs, one of each element.
    private enum Needs {
        case nothing
        case scope(String)
        case either(String, String)
        case both(String, String)
    }

    /// What an operation needs, written from docs/api.md and not from the declaration.
    private static func needs(_ operation: LedgerServer.Operation) -> Needs {
        let reads = operation.method == .get
        switch operation.id {
        case "listProducts", "listWebhookKeys": return .nothing
        case "getLiveFigures", "callTools": return .either("support", "finance:read")
        case "createEndpoint", "replayEvents": return .both("endpoints", "events")
        case "grant", "voidGrant", "createCampaign", "addCampaignUsers", "uploadCampaignUsers", "pauseCampaign",
            "resumeCampaign", "voidCampaign", "claimCampaign":
            return .scope("service:grant")
        case "getUserOrder": return .scope("service:read")  // a service reads the order that it made
        case "queryBalances": return .scope("service:read")  // many users are a body, and nothing is written
        default: break
        }
        return switch operation.tag {
        case .shop, .me, .olderApps: .scope("user")
        case .users, .acts: .scope(reads ? "service:read" : "service:write")
        case .support: .scope("support")
        case .endpoints: .scope("endpoints")
        case .finance: .scope(reads ? "finance:read" : "finance:write")
        case .events: .scope("events")
        case .gateway, .operation: .nothing
        }
    }

    /// The names that are enough for a scope.
    private static func including(_ scope: String) -> Set<String> {
        let whole = scope.split(separator: ":").first.map(String.init) ?? scope
        // Customer support reads any user's coins.
        return Set([scope, whole] + (scope == "service:read" ? ["support"] : []))
    }

    /// An application in which each operation only says that it ran, and tokens for it.
    private struct World {
        let client: TestClient
        let tokens: [String: String]

        static func open(_ body: @Sendable (World) async throws -> Void) async throws {
            let verifier = try await TestHouse.verifier()
            let house = TestHouse { router in
                for operation in LedgerServer.Operation.all {
                    router.add(operation, tokens: verifier, appKeys: AppKeys([appKey])) { _, _ in
                        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "ran")))
                    }
                }
            }
            var tokens: [String: String] = [:]
            for scope in scopes + ["endpoints events"] { tokens[scope] = try await TestHouse.token(scope: scope) }
            let made = tokens
            try await house.test { client in try await body(World(client: client, tokens: made)) }
        }

        /// The response to an operation, with a token of these scopes.
        func call(
            _ operation: LedgerServer.Operation, _ scopes: String?, key: String? = appKey
        ) async throws -> TestResponse {
            var headers: HTTPFields = [:]
            if let scopes { headers[.authorization] = "Bearer " + (try #require(tokens[scopes])) }
            if operation.callers == .appUser, let key { headers[.appKey] = key }
            return try await client.execute(
                uri: operation.path.replacing(/\{\w+\}/, with: "7"), method: operation.method, headers: headers)
        }
    }

    @Test func `each operation runs for its callers and for no others`() async throws {
        try await World.open { world in
            for operation in LedgerServer.Operation.all {
                let none = try await world.call(operation, nil)
                if case .nothing = Self.needs(operation) {
                    #expect(none.text == "ran", "\(operation.id)")
                    continue
                }
                #expect(none.status == .unauthorized && none.text != "ran", "\(operation.id)")
                for scope in Self.scopes {
                    let answer = try await world.call(operation, scope)
                    let isAllowed =
                        switch Self.needs(operation) {
                        case .nothing: true
                        case .scope(let needed): Self.including(needed).contains(scope)
                        case .either(let one, let other):
                            Self.including(one).union(Self.including(other)).contains(scope)
                        case .both: false
                        }
                    #expect(answer.status == (isAllowed ? .ok : .forbidden), "\(operation.id) as \(scope)")
                    #expect((answer.text == "ran") == isAllowed, "\(operation.id) as \(scope)")
                    let missing = operation.callers.missing(from: Scope(names: [scope]))
                    #expect((missing == nil) == isAllowed, "\(operation.id) as \(scope)")
                }
            }
        }
    }

    @Test func `a refusal names the missing scope, also of two`() async throws {
        try await World.open { world in
            for operation in LedgerServer.Operation.all {
                switch Self.needs(operation) {
                case .nothing: break
                case .scope(let needed), .either(let needed, _):
                    let answer = try await world.call(operation, "refunds:approve")
                    #expect(answer.json["required_scope"] as? String == needed, "\(operation.id): \(answer.text)")
                case .both(let one, let other):
                    for (scope, missing) in [(one, other), (other, one)] {
                        let answer = try await world.call(operation, scope)
                        #expect(answer.json["required_scope"] as? String == missing, "\(operation.id): \(answer.text)")
                    }
                    #expect(try await world.call(operation, "\(one) \(other)").text == "ran")
                }
            }
        }
    }

    @Test func `an older app needs its key too`() async throws {
        try await World.open { world in
            let operations = LedgerServer.Operation.all.filter { $0.tag == .olderApps }
            #expect(operations.count == 2)
            for operation in operations {
                for key in [nil, "another"] {
                    let answer = try await world.call(operation, "user", key: key)
                    #expect(answer.status == .unauthorized && answer.text != "ran", "\(operation.id): \(answer.text)")
                }
            }
        }
    }

    @Test func `the document names the callers of each operation`() throws {
        for operation in APIDocument.own.operations {
            let declared = try #require(LedgerServer.Operation.all.first { $0.id == operation.id })
            let schemes: [[String]] =
                switch Self.needs(declared) {
                case .nothing: []
                case .scope where declared.tag == .olderApps: [["appKey", "user"], ["appKey", "bareToken"]]
                case .scope(let scope), .both(let scope, _): [[Self.whole(scope)]]
                case .either(let one, let other): [[Self.whole(one)], [Self.whole(other)]]
                }
            #expect(operation.callers == schemes, "\(operation.id)")
        }
    }

    private static func whole(_ scope: String) -> String { String(scope.prefix { $0 != ":" }) }
}
