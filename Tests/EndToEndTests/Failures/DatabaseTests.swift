import TestSupport
import Testing

/// The database goes away and comes back; the service says so and goes on by itself.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DatabaseTests {
    @Test func `requests get 503 while the database is away, and the service recovers`() async throws {
        try await Self.withProxy { house, proxy, gateway, service in
            let before = try await service.credited(try await gateway.pay())
            let during = try await gateway.pay()

            proxy.refuse()
            proxy.cutAll()
            let balance = try await service.get("/v1/me/balance", as: Token.user("ann"))
            #expect(balance.status == 503 && balance.code == "database_unavailable", "\(balance)")
            let receipt = try await service.present(during)
            #expect(receipt.status == 503 && receipt.code == "database_unavailable", "\(receipt)")
            for answer in [balance, receipt] {
                #expect(answer.isProblem)
                #expect(answer.headers["Retry-After"] != nil)
                #expect(answer.json["retryable"] == true)
            }
            let ready = try await service.get("/health/ready")
            #expect(ready.status == 503 && ready.isProblem, "\(ready)")
            #expect(try await service.get("/health/live").status == 200)
            #expect(try await service.get("/metrics").status == 200)

            // An outage is logged when it begins, not twice a second.
            func complaints() -> Int {
                service.log.split(separator: "\n").count { $0.contains("can't process waiting receipts now") }
            }
            try await eventually("the outage is logged") { complaints() > 0 }

            try proxy.accept()
            try await eventually("it is ready again") {
                try await service.get("/health/ready").status == 200
            }
            #expect(complaints() == 1)
            #expect(try await service.present(during).status == 201)
            #expect(try await service.present(before).status == 200)
            #expect(try await service.coins() == 200)
            try await house.expectSound()
        }
    }

    @Test func `a connection lost at any point of a purchase loses nothing`() async throws {
        try await Self.withProxy { house, proxy, gateway, service in
            // The first purchase prepares the statements; later a text is on the wire only when it is sent as one.
            #expect(try await service.present(try await gateway.pay()).status == 201)
            for trigger in [
                FaultProxy.Fault.Trigger.serverSends("COMMIT"), .serverSends("BEGIN"), .clientSends("order-"),
            ] {
                let payment = try await gateway.pay()
                proxy.arm(.cut, when: trigger)
                let first = try await service.present(payment)
                #expect([200, 201, 503].contains(first.status), "\(trigger): \(first)")
                let again = try await service.present(payment)
                #expect(first.status == 503 ? [200, 201].contains(again.status) : again.status == 200, "\(again)")
                #expect(again.purchase["imp_uid"].text == payment.impUID)
            }
            #expect(proxy.firedFaults == 3)
            #expect(try await house.books.purchases == 4)
            #expect(try await service.coins() == 400)
            try await house.expectSound()
        }
    }

    @Test func `a stalled database is given up within a bound`() async throws {
        try await Self.withProxy(["LEDGERD_LOOKUP_PATIENCE": "1500ms"]) { house, proxy, gateway, service in
            let (first, payment) = (try await gateway.pay(), try await gateway.pay())
            func waitUntilCredited(_ payment: Payment) async throws {
                try await eventually("the receipt is credited") {
                    [200, 201].contains(try await service.present(payment).status)
                }
            }
            try await waitUntilCredited(first)
            proxy.stall()
            // The answers below show that there is a bound: nothing ends a stall but time limits.
            async let balance = service.get("/v1/me/balance", as: Token.user("ann"))
            async let receipt = service.present(payment)
            async let ready = service.get("/health/ready")
            #expect(try await service.get("/health/live").status == 200)
            #expect(try await service.get("/metrics").status == 200)
            for answer in try await [balance, receipt, ready] {
                #expect(answer.status == 503 && answer.isProblem, "\(answer)")
            }
            proxy.resume()
            try await eventually("it is ready again") { try await service.get("/health/ready").status == 200 }
            try await waitUntilCredited(payment)
            try await eventually("the user has both") { try await service.coins() == 200 }
            try await house.expectSound()
        }
    }

    /// As a firewall or a provider does with connections that it takes for idle.
    @Test func `connections that were cut while nobody used them cost no request`() async throws {
        try await Self.withProxy { house, proxy, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let next = try await gateway.pay()
            proxy.cutAll()
            #expect(try await service.coins() == 100)
            let answer = try await service.present(next)
            #expect(answer.status == 201, "\(answer)")
            #expect(try await service.coins() == 200)
            try await house.expectSound()
        }
    }

    /// - Parameter settings: what differs from the house's, which no machine is so slow as to reach.
    private static func withProxy(
        _ settings: [String: String] = [:], _ body: (House, FaultProxy, Gateway, Service) async throws -> Void
    ) async throws {
        try await House.with { house in
            try await FaultProxy.with(house.ledger.database.server) { proxy in
                let gateway = try await house.startGateway()
                let url = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy)]
                let service = try await house.serve(at: gateway, url.merging(settings) { $1 })
                try await body(house, proxy, gateway, service)
            }
        }
    }
}
