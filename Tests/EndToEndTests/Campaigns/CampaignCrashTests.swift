import EndToEndSupport
import TestSupport
import Testing

/// The service is killed while it gives and voids the coins of a campaign.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CampaignCrashTests {
    private static let settings = ["LEDGERD_CONSOLE_GRANT_LIMIT": "1000000000"]

    @Test func `a campaign that is killed five times gives each user the coins once, in little memory`() async throws {
        var random = SplitMix64(seed: Effort.seed)
        // A million takes the machine for itself: LEDGERD_TEST_SCALE=334 ./dev test 'killed five times'.
        let users = Effort.count(3_000, upTo: 1_000_000)
        try await House.with { house in
            let gateway = try await house.startGateway()
            var service = try await house.serveProcess(at: gateway, Self.settings)
            _ = try await Self.begin(users, service)
            for kill in 1...5 {
                // At any moment of a round, after some more users than at the kill before.
                let last = Int64.random(in: 0..<Int64(users * kill / 6), using: &random)
                try await eventually("user-\(last) has coins") {
                    let given = "SELECT count(*) FROM campaign_grant WHERE user_id = $1"
                    return try await house.books.count(given, ["user-\(last)"]) > 0
                }
                try await house.kill(service.process)
                service = try await house.serveProcess(at: gateway, Self.settings)
            }
            let memory = service.process.peakMemory
            try await eventually("all users have coins") {
                try await house.books.count("SELECT done_to FROM campaign") == Int64(users)
            }
            // Half a kilobyte for each of a million users would be four times as much.
            #expect(service.process.peakMemory - memory < 128 << 20)
            let lots = try await house.books.count("SELECT count(*) FROM lot WHERE coins = 2")
            #expect(lots == Int64(users))
            #expect(try await house.books.count("SELECT count(DISTINCT user_id) FROM lot") == lots)
            try await house.expectSound()
        }
    }

    @Test func `a void of a campaign that is killed takes what all users have`() async throws {
        let users = Effort.count(1_000, upTo: 10_000)
        try await House.with { house in
            let gateway = try await house.startGateway()
            var service = try await house.serveProcess(at: gateway, Self.settings)
            let id = try await Self.begin(users, service)
            try await eventually("all users have coins") {
                try await house.books.count("SELECT done_to FROM campaign") == Int64(users)
            }
            _ = try await service.post("/v1/campaigns/\(id)/void", #"{"reason": "a mistake"}"#, as: Token.service())
            try await eventually("some coins are voided") {
                try await house.books.count("SELECT count(*) FROM grant_void") > 0
            }
            try await house.kill(service.process)
            service = try await house.serveProcess(at: gateway, Self.settings)
            try await eventually("the campaign is voided") {
                try await house.books.count("SELECT count(*) FROM campaign WHERE status = 'voided'") == 1
            }
            #expect(try await house.books.count("SELECT count(*) FROM grant_void") == Int64(users))
            #expect(try await house.books.count("SELECT sum(remaining)::int8 FROM lot") == 0)
            try await house.expectSound()
        }
    }

    /// Makes a campaign that gives two coins to each of so many users; its id.
    private static func begin(_ users: Int, _ service: Service) async throws -> Int64 {
        let body = #"{"name": "spring", "coins": 2, "budget": \#(users * 2), "reason": "spring"}"#
        let made = try await service.post("/v1/campaigns", body, as: Token.service())
        let id = sure(made.json["id"].integer)
        let list = (0..<users).map { "user-\($0)\n" }.joined()
        let added = try await service.send(
            .post, "/v1/campaigns/\(id)/users/file", as: Token.service(), headers: [("Content-Type", "text/csv")],
            body: list)
        #expect(added.json["added"].integer == Int64(users), "\(added)")
        return id
    }
}
