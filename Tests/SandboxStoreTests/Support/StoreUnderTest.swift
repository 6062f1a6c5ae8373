import Crypto
import FoundationEssentials
import HTTPTestSupport
import Hummingbird
import Logging
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// A simulated App Store, called as a shop's server and as a test would call it.
struct StoreUnderTest: Sendable {
    let client: TestClient
    let clock: StoppedClock

    /// Runs `body` with stores of their own, by a stopped clock, or by the machine's for judges that know no other.
    static func run(
        _ setup: TestingSetup = .router, byMachineTime: Bool = false,
        _ change: @Sendable (inout SandboxStoreConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (StoreUnderTest) async throws -> Void
    ) async throws {
        let clock = StoppedClock()
        var configuration = SandboxStoreConfiguration(port: 0)
        change(&configuration)
        let store = SandboxStore(
            configuration: configuration, logger: .quiet, now: { byMachineTime ? .now : clock.now })
        try await store.buildApplication().test(setup) { client in
            try await body(StoreUnderTest(client: client, clock: clock))
        }
    }

    // MARK: As a shop's server

    /// Calls the App Store Server API with a good token.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ environment: AppleEnvironment = .production,
        json: String? = nil
    ) async throws -> Answer {
        try await send(
            method, "/\(environment.path)/inApps/\(path)", json: json, authorization: "Bearer " + (try token()))
    }

    /// A token for the API's clients; `claims` and `header` replace members, or remove them where null.
    func token(
        header: [String: JSONValue] = [:], claims: [String: JSONValue] = [:], key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let app = SandboxStoreConfiguration.Apple()
        let until = Int(clock.now.timeIntervalSince1970) + 300
        let parts = [
            ["alg": .string("ES256"), "kid": .string(app.keyID), "typ": .string("JWT")].merging(header) { $1 },
            [
                "iss": .string(app.issuerID), "bid": .string(app.bundleID), "aud": .string("appstoreconnect-v1"),
                "exp": .int(until),
            ].merging(claims) { $1 },
        ]
        let signed = parts.map { members in
            Base64URL.encode(Data(JSONValue.object(members.filter { $0.value != .null }).jsonText.utf8))
        }.joined(separator: ".")
        let key = try key ?? SandboxStoreConfiguration.Apple.key
        return signed + "." + Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    // MARK: As a test

    /// Makes a purchase, and returns its summary.
    func buy(_ members: String = "") async throws -> JSONValue {
        let product = members.contains(#""product_id""#) ? [] : [#""product_id": "coins_100""#]
        let all = (product + [members]).filter { !$0.isEmpty }.joined(separator: ", ")
        let answer = try await send(.post, "/sandbox/apple/purchases", json: "{\(all)}")
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    func change(_ id: String, _ members: String) async throws -> Answer {
        try await send(.patch, "/sandbox/apple/purchases/\(id)", json: "{\(members)}")
    }

    func control(_ method: HTTPRequest.Method, _ path: String, _ json: String? = nil) async throws -> Answer {
        try await send(method, "/sandbox/" + path, json: json)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, authorization: String? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        headers[.contentType] = json != nil ? "application/json" : nil
        headers[.authorization] = authorization
        return try await client.execute(
            uri: path, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) }
        ) {
            Answer(
                status: $0.status.code, contentType: $0.headers[.contentType], text: String(buffer: $0.body),
                retryAfter: $0.headers[.retryAfter])
        }
    }

    /// The payload of a JWS, not verified.
    static func payload(_ jws: JSONValue) -> JSONValue {
        let parts = jws.text.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return .null }
        return (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .null
    }
}
