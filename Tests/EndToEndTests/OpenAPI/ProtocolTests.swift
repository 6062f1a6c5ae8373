import Testing

/// What HTTP asks of every service.
@Suite(.timeLimit(.minutes(20))) struct ProtocolTests {
    @Test func `a client that waits to be asked for its body is asked`() async throws {
        try await House.open { _, gateway, service in
            let payment = try await gateway.pay()
            let client = try RawClient(port: service.port)
            try await client.send(
                """
                POST /v1/receipts HTTP/1.1\r
                Host: test\r
                Authorization: Bearer \(Token.user("ann"))\r
                Content-Type: application/json\r
                Content-Length: \(payment.receipt.utf8.count)\r
                Expect: 100-continue\r
                \r

                """)
            #expect(try await client.answer() == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send(payment.receipt)
            #expect(try await client.answer().hasPrefix("HTTP/1.1 201 Created\r\n"))
        }
    }

    @Test func `a method that a path does not take is answered with those it takes`() async throws {
        try await House.open { house, _, service in
            for method in ["TRACE", "CONNECT", "OPTIONS", "DELETE", "PATCH"] {
                await house.check(method) {
                    let client = try RawClient(port: service.port)
                    try await client.send("\(method) /v1/products HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n")
                    let answer = try await client.answer()
                    #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"), "\(method): \(answer)")
                    #expect(answer.contains("Allow: GET, HEAD\r\n"), "\(method): \(answer)")
                }
            }
        }
    }
}
