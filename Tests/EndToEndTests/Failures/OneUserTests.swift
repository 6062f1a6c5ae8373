import OutboundHTTP
import TestSupport
import Testing

/// One user who asks for much more than anybody needs.
///
/// That users take turns is tested without a clock where the gateways' callers are.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Effort.includesSlow)) struct OneUserTests {
    @Test(arguments: ["v1", "v2"])
    func `a user with hundreds of receipts at once does not make another wait`(api: String) async throws {
        let settings = [
            "LEDGERD_PORTONE_V2_SECRET": "sandbox-v2-secret", "LEDGERD_PORTONE_V2_STORE_ID": "store-sandbox",
            // The budget of refusals would end the attack: here it is to go on.
            "LEDGERD_REFUSED_RECEIPTS": "10000",
        ]
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service = try await house.serveProcess(
                at: gateway, settings.merging(["LEDGERD_PORTONE_V2_URL": gateway.url]) { $1 })
            // As far away as the real one: so that calls are under way, and others wait.
            try await gateway.fail(
                #"{"kind": "stall", "method": "GET", "path": "/payments", "times": 100000, "delay_ms": 100}"#)
            let alone = try await victim(api, gateway, service)
            let asked = try await gateway.journal("/payments").count
            try await withThrowingTaskGroup(of: Set<Int>.self) { group in
                for number in 0..<300 { group.addTask { await attack(api, number, service) } }
                try await eventually("the attacker is at work") {
                    try await gateway.journal("/payments").count >= asked + 16
                }
                // On connections of its own: the test's, too, would make it wait for the attacker.
                let connections = CurlTransport()
                defer { connections.shutdown() }
                let own = Service(port: service.port, transport: connections)
                let attacked = try await victim(api, gateway, own)
                // Behind all 300 it would take nine times as long alone in V2's queue, and that again for each receipt.
                #expect(attacked < alone * 4 + .milliseconds(500), "\(alone) alone, \(attacked) attacked")
                group.cancelAll()
                let statuses = try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
                #expect(statuses.isSubset(of: [404, 429]), "\(statuses)")
            }
        }
    }

    /// Presents receipts of payments that nobody made, until it is stopped.
    private func attack(_ api: String, _ number: Int, _ service: Service) async -> Set<Int> {
        var statuses: Set<Int> = []
        var round = 0
        while !Task.isCancelled {
            round += 1
            let none = Payment(impUID: "imp_none_\(number)_\(round)", merchantUID: "none-\(number)-\(round)")
            let answer = try? await service.post("/v1/receipts", receipt(api, none), as: Token.user("attacker"))
            guard let answer else { break }
            statuses.insert(answer.status)
            // The cores are the machine's, not the gateway's, and here both sides share them.
            if answer.status == 429 { try? await Task.sleep(for: .milliseconds(100)) }
        }
        return statuses
    }

    /// The median of how long another user's receipts take.
    private func victim(_ api: String, _ gateway: Gateway, _ service: Service) async throws -> Duration {
        var taken: [Duration] = []
        for _ in 0..<7 {
            let payment = try await gateway.pay("1000", #", "version": "\#(api.uppercased())""#)
            let start = ContinuousClock.now
            let answer = try await service.post("/v1/receipts", receipt(api, payment), as: Token.user("victim"))
            taken.append(start.duration(to: .now))
            #expect(answer.status == 201, "\(answer)")
        }
        return taken.sorted()[taken.count / 2]
    }

    private func receipt(_ api: String, _ payment: Payment) -> String {
        api == "v1" ? payment.receipt : #"{"payment_id": "\#(payment.merchantUID)"}"#
    }
}
