import NIOHTTP1
import Testing

@testable import LedgerServer

/// Which requests can be read in more than one way; how they are answered, the end-to-end tests show.
@Suite(.timeLimit(.minutes(20))) struct RequestRulesTests {
    @Test(arguments: [
        "/", "/v1/products", "/v1/me/statement?cursor=a//b", "/a.b/..c", "http://host/x", "HTTP://h", "/%41",
        "/v1/users/team%2Fann/balance", "/v1/users/corp%5Cann/balance",
    ])
    func `a path or an http URL is a target`(target: String) {
        #expect(Self.head(target).ambiguity == nil)
    }

    @Test(arguments: [
        "//metrics", "/v1//products", "/a//", "http://host//metrics", "http:///metrics", "metrics", "", "?a=b", "*",
        "/./metrics", "/a/..", "/%2E/metrics", "/v1/.%2e/metrics", #"/v1\me"#, "/a#b", "/a?b#c",
        "ftp://host/x",
    ])
    func `any other target is ambiguous`(target: String) {
        #expect(Self.head(target).ambiguity != nil)
    }

    @Test func `one host is there, except in HTTP 1.0`() {
        #expect(Self.head(hosts: []).ambiguity != nil)
        #expect(Self.head(hosts: ["a", "a"]).ambiguity != nil)
        #expect(Self.head(hosts: ["a, b"]).ambiguity != nil)
        #expect(Self.head(hosts: [], version: .http1_0).ambiguity == nil)
        #expect(Self.head(hosts: ["a", "b"], version: .http1_0).ambiguity != nil)
        for host in ["localhost", "127.0.0.1:8080", "[::1]:80", "api.example.com", ""] {
            #expect(Self.head(hosts: [host]).ambiguity == nil)
        }
    }

    @Test func `chunked alone is a transfer encoding`() {
        #expect(Self.head(["transfer-encoding": "Chunked"]).ambiguity == nil)
        for coding in ["gzip, chunked", "chunked, chunked", "identity", "", "chunked;a=b", "x"] {
            #expect(Self.head(["transfer-encoding": coding]).ambiguity != nil, "\(coding)")
        }
        #expect(Self.head(["transfer-encoding": "chunked", "content-length": "2"]).ambiguity != nil)
        #expect(Self.head(["transfer-encoding": "chunked"], version: .http1_0).ambiguity != nil)
    }

    @Test func `HTTP 1.0 and whoever says close get one answer`() {
        #expect(!Self.head().isLast)
        #expect(Self.head(version: .http1_0).isLast)
        #expect(Self.head(["connection": "keep-alive"], version: .http1_0).isLast)
        #expect(Self.head(["Connection": "Close"]).isLast)
        #expect(Self.head(["connection": "upgrade , close"]).isLast)
        #expect(!Self.head(["connection": "closed"]).isLast)
    }

    private static func head(
        _ target: String = "/", hosts: [String] = ["host"], _ headers: KeyValuePairs<String, String> = [:],
        version: HTTPVersion = .http1_1
    ) -> HTTPRequestHead {
        var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
        for host in hosts { fields.add(name: "Host", value: host) }
        return HTTPRequestHead(version: version, method: .GET, uri: target, headers: fields)
    }

    private static func head(
        _ headers: KeyValuePairs<String, String>, version: HTTPVersion = .http1_1
    ) -> HTTPRequestHead {
        head("/", headers, version: version)
    }
}
