import Crypto
import Foundation
import HTTPTestSupport
import Hummingbird
import JWTKit
import Logging
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct JWKSServiceTests {
    private struct Claims: JWTPayload {
        var sub = "u"
        // In 2100.
        var exp = 4_102_444_800
        func verify(using _: some JWTAlgorithm) {}
    }

    /// A key as its issuer has it, and as it is published.
    private struct Key {
        let signing = Curve25519.Signing.PrivateKey()
        var id: String?

        var published: String {
            let x = Base64URL.encode(Array(signing.publicKey.rawRepresentation))
            let kid = id.map { #""kid":"\#($0)","# } ?? ""
            return #"{"keys":[{"kty":"OKP","crv":"Ed25519",\#(kid)"x":"\#(x)"}]}"#
        }

        func token() async throws -> String {
            let key = try EdDSA.PrivateKey(d: Base64URL.encode(Array(signing.rawRepresentation)), curve: .ed25519)
            let kid = id.map(JWKIdentifier.init(string:))
            return try await JWTKeyCollection().add(eddsa: key, kid: kid).sign(Claims(), kid: kid)
        }
    }

    /// Runs the service over a document that `publish` replaces, and expects the keys to follow it.
    private func expectFollowed(_ location: JWKSLocation, _ publish: (String?) throws -> Void) async throws {
        let log = LogCapture()
        var (old, new) = (Key(), Key())
        var (oldToken, newToken) = (try await old.token(), try await new.token())
        let transport = CurlTransport()
        defer { transport.shutdown() }
        try publish(old.published)
        let tokens = TokenVerifier(keys: try await .jwks(location.read(transport)))
        let reader = JWKSReader(location: location, tokens: tokens, transport: transport, logger: log.logger())
        let service = JWKSService(reader: reader, interval: .milliseconds(20), logger: log.logger())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            #expect(try tokens.verify(oldToken).subject == "u")
            #expect(throws: Problem.self) { try tokens.verify(newToken) }
            for broken in ["nonsense", #"{"keys":[]}"#, nil] {
                try publish(new.published)
                try await eventually("the keys follow") { (try? tokens.verify(newToken)) != nil }
                #expect(throws: Problem.self) { try tokens.verify(oldToken) }
                let outages = log.outages
                try publish(broken)
                try await eventually("the document was read") { log.outages > outages }
                #expect(try tokens.verify(newToken).subject == "u")
                (old, new, oldToken, newToken) = (new, old, newToken, oldToken)
            }
            try publish(new.published)
            try await eventually("the keys follow") { (try? tokens.verify(newToken)) != nil }
            group.cancelAll()
        }
    }

    @Test func `a JWKS in a file is read again when it changes, and its last good keys stay`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try await expectFollowed(.file(file.path())) { text in
            try text.map { try Data($0.utf8).write(to: file, options: .atomic) }
                ?? FileManager.default.removeItem(at: file)
        }
    }

    @Test func `a JWKS at a URL is read again when it changes, and its last good keys stay`() async throws {
        let published = Mutex<String?>(nil)
        let router = Router()
        router.get("keys") { _, _ in
            guard let text = published.withLock(\.self) else { throw HTTPError(.serviceUnavailable) }
            return text
        }
        let app = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await app.test(.live) { client in
            let port = try #require(client.port)
            let location = try #require(JWKSLocation(text: "http://127.0.0.1:\(port)/keys"))
            try await expectFollowed(location) { text in published.withLock { $0 = text } }
        }
    }

    /// A published document, and how often it was asked for.
    private struct Published {
        var text: String
        var reads = 0
    }

    @Test func `a token of an unknown key makes the JWKS be read once, whoever sends how many`() async throws {
        let (old, new) = (Key(id: "old"), Key(id: "new"))
        let published = Mutex(Published(text: old.published))
        let router = Router()
        router.get("keys") { _, _ in
            published.withLock { document in
                document.reads += 1
                return document.text
            }
        }
        let app = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await app.test(.live) { client in
            try await ManualTime.with { time in
                let transport = CurlTransport()
                defer { transport.shutdown() }
                let port = try #require(client.port)
                let location = try #require(JWKSLocation(text: "http://127.0.0.1:\(port)/keys"))
                let tokens = TokenVerifier(keys: try await .jwks(location.read(transport)))
                let reader = JWKSReader(
                    location: location, tokens: tokens, transport: transport, logger: LogCapture().logger())
                tokens.renewKeys { await reader.readForUnknownKey() }
                func reads() -> Int { published.withLock(\.reads) }

                let (oldToken, newToken) = (try await old.token(), try await new.token())
                published.withLock { $0.text = new.published }
                #expect(try await tokens.authenticate(oldToken).subject == "u")
                #expect(reads() == 1)
                let subjects = try await together(32) { _ in try await tokens.authenticate(newToken).subject }
                #expect(subjects == Array(repeating: "u", count: 32) && reads() == 2)
                // Anybody can make up keys.
                for number in 0..<8 {
                    let made = try await Key(id: "made-up-\(number)").token()
                    await #expect(throws: Problem.self) { try await tokens.authenticate(made) }
                }
                await #expect(throws: Problem.self) { try await tokens.authenticate("e30.e30.e30") }
                #expect(reads() == 2)
                await time.advance(by: JWKSReader.shortestPause)
                for _ in 0..<2 { await #expect(throws: Problem.self) { try await tokens.authenticate(oldToken) } }
                #expect(reads() == 3)
            }
        }
    }

    @Test func `a JWKS is a path, or a URL that may be called`() throws {
        #expect(JWKSLocation(text: "keys.json") == .file("keys.json"))
        #expect(JWKSLocation(text: "https://id.example/keys") == .url(try HTTPURL("https://id.example/keys")))
        for text in ["", "http://id.example/keys", "https://"] { #expect(JWKSLocation(text: text) == nil) }
    }
}

extension LogCapture {
    /// How often a service began to fail.
    fileprivate var outages: Int { events.count { $0["level"] as? String == "error" } }
}
