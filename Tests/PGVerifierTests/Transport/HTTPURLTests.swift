import OutboundHTTP
import Testing

@Suite(.timeLimit(.minutes(20))) struct HTTPURLTests {
    @Test(arguments: [
        "https://api.iamport.kr", "https://10.0.0.1:8443/v1", "http://127.0.0.1:8081", "http://localhost:8081",
        "http://[::1]:8081", "http://127.9.9.9",
    ])
    func `https may be called, and http on this machine`(text: String) throws {
        #expect(try HTTPURL(text).text == text)
    }

    @Test(arguments: [
        "http://api.iamport.kr", "http://127.0.0.1.evil.example", "http://127.evil.example", "http://localhost.evil",
        "http://128.0.0.1", "http://0.0.0.0", "http://10.0.0.1", "ftp://127.0.0.1", "file:///etc/passwd",
        "gopher://127.0.0.1",
        "https://key:secret@api.iamport.kr", "http://127.0.0.1@evil.example/", "api.iamport.kr", "", "https://",
        "http://evil.example#@127.0.0.1", "http://evil.example\\@127.0.0.1",
    ])
    func `nothing else may`(text: String) {
        let error = #expect(throws: TransportError.self) { try HTTPURL(text) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `what is appended is encoded and can't lead elsewhere`() throws {
        let url = try HTTPURL("https://api.iamport.kr/base/?old=1")
        #expect(
            url.appending("a/b", "주문 1", query: [("x&y", "1=2")]).text
                == "https://api.iamport.kr/base/a%2Fb/%EC%A3%BC%EB%AC%B8%201?x%26y=1%3D2")
    }

    @Test func `only the colon before a verb is not encoded`() throws {
        let url = try HTTPURL("https://androidpublisher.googleapis.com")
        #expect(
            url.appending(["orders", "a:b"], verb: "re/fund", query: [("revoke", "true")]).text
                == "https://androidpublisher.googleapis.com/orders/a%3Ab:re%2Ffund?revoke=true")
    }
}
