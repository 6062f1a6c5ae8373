import Glibc
import TestSupport
import Testing

/// The service is stopped while it works.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ShutdownTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `requests that were sent are answered`(signal: Int32) async throws {
        try await House.openProcess { house, gateway, service in
            let crowd = Crowd()
            async let load: Void = crowd.run(clients: 32, most: 40, gateway: gateway, service: service)
            try await eventually("the load is under way") { crowd.posts.count >= 100 }
            service.process.signal(signal)
            #expect(try await service.process.exit() == .code(0))
            #expect(!service.process.isCutOff)
            crowd.stop()
            await load

            for post in crowd.posts {
                if let answer = post.answer {
                    #expect([201, 503].contains(answer.status), "\(answer)")
                } else {
                    // Who comes after the signal finds the door closed, or sees it close: a kernel resets what stands
                    // in a closed listener's queue.
                    let line = service.logLine(of: post.payment.merchantUID)
                    #expect(line == nil, "received and not answered: \(post.failure ?? "")")
                }
            }
            let promised = crowd.posts.count { $0.answer?.status == 201 }
            #expect(try await house.books.purchases >= Int64(promised))
            for post in crowd.posts where post.answer?.status == 201 {
                let found = try await house.books.count(
                    "SELECT count(*) FROM purchase WHERE imp_uid = $1", [post.payment.impUID])
                #expect(found == 1)
            }
            try await house.expectSound()
        }
    }

    @Test func `requests in the sockets when the signal comes are answered`() async throws {
        try await House.with { house in
            let service = try await house.serveProcess()
            let request = "GET /health/live HTTP/1.1\r\nHost: ledgerd\r\n\r\n"
            let clients = try (0..<16).map { _ in try RawClient(port: service.port) }
            for client in clients {
                try await client.send(request)
                #expect(try await client.answer().hasPrefix("HTTP/1.1 200"))
            }
            // While the process is stopped nothing is read: requests and signal are all there when it goes on.
            service.process.signal(SIGSTOP)
            for client in clients { try await client.send(request) }
            let newcomer = try RawClient(port: service.port)
            try await newcomer.send(request)
            service.process.signal(SIGTERM)
            service.process.signal(SIGCONT)
            for client in clients + [newcomer] {
                let answer = try await client.answer()
                #expect(answer.hasPrefix("HTTP/1.1 200"))
            }
            #expect(try await service.process.exit() == .code(0))
        }
    }

    @Test func `before it stops listening, the service asks clients to close`() async throws {
        let settings = ["LEDGERD_SHUTDOWN_DRAIN": "60s", "LEDGERD_SHUTDOWN_DEADLINE": "600s"]
        try await House.openProcess(settings) { house, gateway, service in
            #expect(try await service.get("/health/ready").status == 200)
            service.process.signal(SIGTERM)
            try await eventually("it is not ready") {
                try await service.get("/health/ready").status == 503
            }
            let ready = try await service.get("/health/ready")
            #expect(ready.code == "shutting_down" && ready.isProblem, "\(ready)")
            let receipt = try await service.present(try await gateway.pay())
            #expect(receipt.status == 201, "who comes now is still served: \(receipt)")
            #expect(receipt.headers["Connection"] == "close")

            // One that drains for the usual moment ends.
            let brief = try await house.serveProcess(at: gateway)
            #expect(try await brief.stop() == .code(0))
            await #expect(throws: (any Error).self) { try await brief.get("/health/live") }
        }
    }

    @Test func `a request that waits for the gateway is finished`() async throws {
        try await House.openProcess { house, gateway, service in
            // A millisecond a byte: the answer takes more than a second.
            try await gateway.fail(#"{"path": "/payments", "kind": "slow", "delay_ms": 1, "times": 100}"#)
            let payments = try await withThrowingTaskGroup(of: Payment.self) { group in
                for _ in 0..<8 { group.addTask { try await gateway.pay() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for payment in payments { group.addTask { try await service.present(payment).status } }
                // Look-ups share calls, so how many calls there are is the gateway client's affair.
                try await eventually("the gateway is asked") { try await !gateway.journal("/payments").isEmpty }
                // Each has a connection, and so does the one that asks; or all are answered already.
                try await eventually("the service has all requests") {
                    let open = try #require(try await service.metric("ledgerd_http_connections_open"))
                    let answered = try await house.books.purchases + house.books.receipts("waiting")
                    return open >= 9 || answered == payments.count
                }
                #expect(try await service.stop() == .code(0))
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Answers that were asked for together are long, and may come too slowly to be waited for: then it is 202, and
            // ledgerd may credit the payment before it stops.
            #expect(statuses.count == payments.count && statuses.allSatisfy { $0 == 201 || $0 == 202 }, "\(statuses)")
            let purchases = try await house.books.purchases
            #expect(statuses.count { $0 == 201 } <= purchases && purchases <= payments.count, "\(statuses)")
            #expect(service.log.contains("stopped"))
        }
    }

    @Test func `requests that do not end are cut off at the deadline`() async throws {
        let settings = ["LEDGERD_SHUTDOWN_DEADLINE": "2s", "LEDGERD_GATEWAY_TIMEOUT": "60s"]
        try await House.openProcess(settings) { house, gateway, service in
            try await gateway.fail(#"{"path": "/payments", "kind": "timeout", "times": 10}"#)
            let payment = try await gateway.pay()
            let slow = try RawClient(port: service.port)
            let head = "POST /v1/receipts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Token.user("ann"))\r\n"
            try await slow.send(head + "Content-Length: 100\r\n\r\n{")
            async let unanswered = try? service.present(payment)
            try await eventually("the gateway is asked") { try await !gateway.journal("/payments").isEmpty }
            #expect(try await service.stop() == .code(0))
            #expect(service.process.isCutOff)
            #expect(await unanswered?.status != 201)

            try await gateway.fail(#"{"path": "*", "times": 0}"#)
            let successor = try await house.serve(at: gateway)
            #expect(try await successor.present(payment).status == 201)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await House.with { house in
            let service = try await house.serve(
                at: nil, ["LEDGERD_IDLE_TIMEOUT": "1s", "LEDGERD_REQUEST_TIMEOUT": "1h"])
            // What is idle at a service with the usual time limits outlasts them.
            let usual = try await house.serve()
            let patient = try RawClient(port: usual.port)
            let silent = try RawClient(port: service.port)
            let halting = try RawClient(port: service.port)
            // On a slow machine the service has closed it before.
            try? await halting.send("POST /v1/receipts HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            for client in [silent, halting] {
                await #expect(throws: RawClient.Failure.self) { while true { _ = try await client.answer() } }
            }
            #expect(!patient.isEnded)
        }
    }

    @Test func `an idle service stops at once`() async throws {
        try await House.with { house in
            let service = try await house.serveProcess()
            #expect(try await service.get("/health/live").status == 200)
            #expect(try await service.stop() == .code(0))
            #expect(!service.process.isCutOff)
        }
    }
}

extension ChildProcess {
    /// Whether a service that stopped cut off what it still did.
    fileprivate var isCutOff: Bool { standardError.contains("shutdown deadline") }
}
