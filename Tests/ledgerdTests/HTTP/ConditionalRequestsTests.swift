import HTTPTestSupport
import Hummingbird
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ConditionalRequestsTests {
    private let house = TestHouse { router in
        let group = router.group("v1").add(middleware: NoStore()).add(middleware: ConditionalRequests())
        group.get("item") { _, _ in try Response(headers: [.link: "<x>"], json: ["a": 1]) }
        group.get("made") { _, _ in try Response(status: .created, json: ["a": 1]) }
        group.post("item") { _, _ in try Response(json: ["a": 1]) }
        group.get("stream") { _, _ in
            Response(status: .ok, body: ResponseBody { writer in try await writer.finish(nil) })
        }
        group.get("broken") { _, _ -> Response in throw Problem(.notFound) }
    }

    @Test func `a client that has the body gets 304, and the headers that describe it`() async throws {
        try await house.test { client in
            let first = try await client.execute(uri: "/v1/item", method: .get)
            let tag = try #require(first.headers[.eTag])
            #expect(tag.wholeMatch(of: #/"[A-Za-z0-9_-]{22}"/#) != nil, "\(tag): a strong one")
            for method in [HTTPRequest.Method.get, .head] {
                for named in [
                    tag, "W/\(tag)", "\"x\", \(tag)", "\"a,b\",W/\"\",\(tag), \"y\"", "*", " * ", "\"x\",,\(tag)",
                ] {
                    let answer = try await client.execute(
                        uri: "/v1/item", method: method, headers: [.ifNoneMatch: named])
                    #expect(answer.status == .notModified, "\(named)")
                    #expect(answer.body.readableBytes == 0)
                    #expect(answer.headers[.eTag] == tag && answer.headers[.cacheControl] == "no-store")
                    #expect(answer.headers[.link] == "<x>" && answer.headers[.requestID] != nil)
                    #expect(answer.headers[.contentType] == nil)
                    // The router gives every answer to HEAD a length; the server takes it from a 304 again.
                    #expect(answer.headers[.contentLength] == nil || method == .head)
                }
            }
        }
    }

    @Test func `who has another body gets this one`() async throws {
        try await house.test { client in
            let tag = try #require(try await client.execute(uri: "/v1/item", method: .get).headers[.eTag])
            for named in [
                "\"x\"", "", String(tag.dropFirst().dropLast()), "\"\"", "\"*\"", tag.lowercased() + "x", ",",
            ] {
                let answer = try await client.execute(uri: "/v1/item", method: .get, headers: [.ifNoneMatch: named])
                #expect(answer.status == .ok && answer.text == #"{"a":1}"#, "\(named)")
                #expect(answer.headers[.eTag] == tag)
            }
            let head = try await client.execute(uri: "/v1/item", method: .head)
            #expect(head.headers[.eTag] == tag && head.status == .ok)
        }
    }

    @Test func `what is no state of a resource has no tag`() async throws {
        try await house.test { client in
            for (path, method) in [
                ("/v1/item", HTTPRequest.Method.post), ("/v1/made", .get), ("/v1/stream", .get), ("/v1/broken", .get),
            ] {
                let answer = try await client.execute(uri: path, method: method, headers: [.ifNoneMatch: "*"])
                #expect(answer.headers[.eTag] == nil && answer.status != .notModified, "\(method) \(path)")
            }
        }
    }
}
