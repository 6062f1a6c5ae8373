import EndToEndSupport
import TestSupport
import Testing

/// The service is killed while it charges cards; no card is charged twice, and no charge that was carried out is lost.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TopUpCrashTests {
    @Test(arguments: Version.allCases)
    func `a service that is killed after the gateway has charged has a successor that credits it`(
        _ version: Version
    ) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway)
            let killed = try await house.serveProcess(at: gateway, settings)
            try await gateway.fail(#"{"kind": "timeout", "path": "\#(version.chargePath)"}"#)
            try await killed.spendBelow("ann", at: version)
            try await eventually("the gateway has charged") {
                guard let order = try await gateway.chargesAsked().first else { return false }
                return try await gateway.hasCharged(order)
            }
            try await house.kill(killed.process)
            #expect(try await house.books.topUps == ["waiting started"])
            let successor = try await house.serve(at: gateway, settings)
            try await eventually("the charge is credited") { try await house.books.topUps == ["credited paid"] }
            #expect(try await gateway.chargesAsked().count == 1)
            let balance = try await successor.get("/v1/users/ann/balance", as: Token.service())
            #expect(balance.json["available"] == 140, "\(balance)")
            try await house.expectSound()
        }
    }

    /// What goes wrong on the way to the gateway and back; nil: nothing.
    private static let faults: [String?] = [
        nil, "timeout", "lose_answer", "reset", "truncate", "garbage", "refusal", "status", "stall", "slow",
    ]

    @Test func `over lost answers and kills, each order is charged once at most and credited if it was`() async throws {
        var random = SplitMix64(seed: Effort.seed)
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway)
            var service = try await house.serveProcess(at: gateway, settings)
            for round in 0..<Effort.count(8, upTo: 120) {
                let version = Version.allCases.randomElement(using: &random) ?? .v1
                let fault = Self.faults.randomElement(using: &random).flatMap(\.self)
                if let fault {
                    let delay = fault == "slow" ? 1 : 300
                    try await gateway.fail(
                        #"{"kind": "\#(fault)", "path": "\#(version.chargePath)", "delay_ms": \#(delay)}"#)
                }
                try await service.spendBelow("user-\(round)", at: version)
                if Bool.random(using: &random) {
                    // At any moment: before the request, while it runs, or after its answer.
                    let requests = Int.random(in: 0...1, using: &random)
                    try await eventually("the charge of round \(round) has come so far") {
                        try await house.books.count(
                            """
                            SELECT count(*) FROM top_up_charge
                            WHERE user_id = $1 AND (asked_at IS NOT NULL OR status <> 'waiting' OR $2 = 0)
                            """, ["user-\(round)", Int64(requests)]) > 0
                    }
                    try await house.kill(service.process)
                    service = try await house.serveProcess(at: gateway, settings)
                }
            }
            try await gateway.fail("[]")
            try await eventually("every charge has its end") {
                try await house.books.ageTopUps()
                try await house.books.makeTopUpsDue()
                return try await !house.books.topUps.contains { $0.hasPrefix("waiting") }
            }
            let asked = try await gateway.chargesAsked()
            #expect(Set(asked).count == asked.count, "an order was charged twice: \(asked)")
            for order in asked {
                let purchases = try await house.books.count(
                    "SELECT count(*) FROM purchase WHERE merchant_uid = $1", [order])
                let hasCharged = try await gateway.hasCharged(order)
                #expect(purchases == (hasCharged ? 1 : 0), "\(order)")
            }
            let mostOfUser = "SELECT max(n) FROM (SELECT count(*) AS n FROM purchase GROUP BY user_id) AS of_user"
            #expect(try await house.books.count("SELECT coalesce((\(mostOfUser)), 0)") <= 1)
            try await house.expectSound()
        }
    }
}
