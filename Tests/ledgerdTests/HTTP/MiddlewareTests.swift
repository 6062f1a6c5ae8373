import Foundation
import HTTPTestSupport
import Hummingbird
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct MiddlewareTests {
    private func house() async throws -> TestHouse {
        let verifier = try await TestHouse.verifier()
        return TestHouse { router in
            router.get("health/live") { _, _ in "ok" }
            let pages = router.group("console").add(middleware: ConditionalRequests())
            pages.get("console.css") { _, context in
                context.recordFile()
                return Response(status: .ok, headers: [.eTag: "\"1\""])
            }
            pages.get("page") { _, context in
                context.record(person: "subject-1")
                return Response(status: .ok, headers: [.eTag: "\"1\""])
            }
            router.get("stream") { _, _ in
                Response(
                    status: .ok,
                    body: .init { writer in
                        try await writer.write(ByteBuffer(string: "1234"))
                        try await writer.write(ByteBuffer(string: "567"))
                        try await writer.finish(nil)
                    })
            }
            router.group("v1/users")
                .add(middleware: BearerAuthentication(verifier: verifier))
                .add(middleware: RequireScope(.holder(.service)))
                .get("{user}/balance") { _, context in try context.requirePrincipal().subject }
        }
    }

    @Test(arguments: [TestingSetup.router, .live])
    func `a request is one line of the access log, without path, query, token or name`(setup: TestingSetup) async throws
    {
        let house = try await house()
        let token = try await TestHouse.token(sub: "secret-service", scope: "service")
        try await house.test(setup) { client in
            try await client.execute(
                uri: "/v1/users/alice/balance?key=hidden", method: .get,
                headers: [.authorization: "Bearer \(token)", .requestID: "abc"]
            ) { #expect($0.text == "secret-service") }
        }
        let events = house.log.events.filter { $0["msg"] as? String == "request" }
        #expect(events.count == 1)
        let event = try #require(events.first)
        #expect(event["level"] as? String == "info")
        #expect(event["method"] as? String == "GET")
        #expect(event["route"] as? String == "/v1/users/{user}/balance")
        #expect(event["status"] as? Int == 200)
        #expect(event["bytes"] as? Int == 14)
        #expect(event["principal"] as? String == "service")
        #expect(event["request_id"] as? String == "abc")
        #expect((event["duration_ms"] as? Double ?? -1) >= 0)
        let all = house.log.lines.joined()
        for secret in [token, "alice", "hidden", "secret-service"] { #expect(!all.contains(secret)) }
    }

    @Test func `a refused request is logged with its code, an unmatched one without its path`() async throws {
        let house = try await house()
        try await house.test { client in
            try await client.execute(uri: "/etc/passwd?x=1", method: .get) { #expect($0.status == .notFound) }
            try await client.execute(uri: "/v1/users/alice/balance", method: .get) {
                #expect($0.status == .unauthorized)
            }
        }
        let events = house.log.events.filter { $0["msg"] as? String == "request" }
        #expect(events.map { $0["route"] as? String } == ["unmatched", "/v1/users/{user}/balance"])
        #expect(events.map { $0["code"] as? String } == ["not_found", "token_missing"])
        #expect(events.allSatisfy { $0["principal"] as? String == "none" })
        #expect(!house.log.lines.joined().contains("passwd"))
    }

    @Test func `a probe is logged at debug only`() async throws {
        let house = try await house()
        try await house.test(.router, level: .info) { client in
            try await client.execute(uri: "/health/live", method: .get) { #expect($0.status == .ok) }
        }
        #expect(house.log.lines.isEmpty)
    }

    @Test func `a file of the pages that the browser has already is logged at debug only, a page always`() async throws
    {
        let house = try await house()
        try await house.test(.router, level: .info) { client in
            for path in ["/console/console.css", "/console/page"] {
                for (tag, status) in [("\"0\"", HTTPResponse.Status.ok), ("\"1\"", .notModified)] {
                    try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: tag]) {
                        #expect($0.status == status)
                    }
                }
            }
        }
        let lines = house.log.events.map { "\($0["route"] ?? "") \($0["status"] ?? "")" }
        #expect(lines == ["/console/console.css 200", "/console/page 200", "/console/page 304"])
    }

    @Test func `a line of the console has who is signed in`() async throws {
        let house = try await house()
        try await house.test { client in
            for path in ["/console/page", "/console/console.css"] {
                try await client.execute(uri: path, method: .get) { #expect($0.status == .ok) }
            }
        }
        let events = house.log.events.filter { $0["msg"] as? String == "request" }
        #expect(events.map { $0["person"] as? String } == ["subject-1", nil])
        #expect(events.map { $0["principal"] as? String } == ["person", "none"])
    }

    @Test(arguments: [TestingSetup.router, .live])
    func `a streamed response is logged at its end, with the bytes sent`(setup: TestingSetup) async throws {
        let house = try await house()
        try await house.test(setup) { client in
            try await client.execute(uri: "/stream", method: .get) { #expect($0.text == "1234567") }
        }
        let event = try #require(house.log.events.first { $0["msg"] as? String == "request" })
        #expect(event["bytes"] as? Int == 7)
    }

    @Test(arguments: [
        ("client-1:a.b_C", true), ("", false), ("two words", false), ("a\"b", false), ("é", false),
        (String(repeating: "x", count: 128), true), (String(repeating: "x", count: 129), false),
    ])
    func `a sane X-Request-Id is kept and any other replaced`(inbound: String, isKept: Bool) async throws {
        let house = try await house()
        try await house.test { client in
            try await client.execute(uri: "/health/live", method: .get, headers: [.requestID: inbound]) { response in
                let answered = try #require(response.headers[.requestID])
                #expect((answered == inbound) == isKept)
                #expect(RequestID.isAcceptable(answered))
            }
        }
    }

    @Test func `a request is counted and timed by route, never by path or invented method`() async throws {
        let house = try await house()
        try await house.test { client in
            for user in ["a", "b"] {
                try await client.execute(uri: "/v1/users/\(user)/balance", method: .get) { _ in }
            }
            try await client.execute(uri: "/health/live", method: .get) { _ in }
            try await client.execute(uri: "/x1", method: .get) { _ in }
            let method = try #require(HTTPRequest.Method("BREW"))
            try await client.execute(uri: "/x2", method: method) { _ in }
        }
        let scrape = try PrometheusParser(house.metrics.render())
        let name = "ledgerd_http_requests_total"
        let route = "/v1/users/{user}/balance"
        #expect(scrape.value(name, ["method": "GET", "route": route, "status": "401"]) == 2)
        #expect(scrape.value(name, ["method": "GET", "route": "/health/live", "status": "200"]) == 1)
        #expect(scrape.value(name, ["method": "GET", "route": "unmatched", "status": "404"]) == 1)
        #expect(scrape.value(name, ["method": "other", "route": "unmatched", "status": "404"]) == 1)
        #expect(scrape.value("ledgerd_http_request_seconds_count", ["method": "GET", "route": route]) == 2)
        #expect(scrape.types["ledgerd_http_request_seconds"] == "histogram")
        #expect(scrape.help[name] != nil)
    }

    @Test func `times are written with milliseconds, and slashes as they are`() throws {
        struct Value: Encodable {
            let at = Date(timeIntervalSince1970: 1_709_256_000)
            let path = "a/b"
        }
        #expect(String(buffer: try AnswerJSON.encode(Value())) == #"{"at":"2024-03-01T01:20:00.000Z","path":"a/b"}"#)
    }
}
