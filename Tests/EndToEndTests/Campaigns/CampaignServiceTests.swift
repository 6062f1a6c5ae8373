import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Campaigns over HTTP.
@Suite(.timeLimit(.minutes(20))) struct CampaignServiceTests {
    private static let spring =
        #"{"name": "spring", "coins": 10, "most_per_user": 20, "budget": 35, "reason": "spring"}"#

    @Test func `a list of users gets coins within the budget, and what is left of them is voided`() async throws {
        try await House.open { house, _, service in
            let token = Token.service()
            let made = try await service.post("/v1/campaigns", Self.spring, as: token)
            #expect(made.status == 201 && made.json["status"] == "active", "\(made)")
            let id = sure(made.json["id"].integer)
            #expect(made.headers["Location"] == "/v1/campaigns/\(id)")
            #expect(try await service.post("/v1/campaigns", Self.spring, as: token).json["id"].integer == id)
            let other = try await service.post(
                "/v1/campaigns", #"{"name": "spring", "coins": 1, "budget": 35, "reason": "spring"}"#, as: token)
            #expect(other.status == 409 && other.code == "campaign_exists", "\(other)")

            let users = #"[{"user": "ann"}, {"user": "bob", "coins": 20}, {"user": "ann"}]"#
            let dry = try await service.post(
                "/v1/campaigns/\(id)/users", #"{"users": \#(users), "dry_run": true}"#, as: token)
            #expect(dry.json["added"] == 2 && dry.json["coins"] == 30 && dry.json["dry_run"] == true, "\(dry)")
            let added = try await service.post("/v1/campaigns/\(id)/users", #"{"users": \#(users)}"#, as: token)
            #expect(added.status == 200 && added.json["added"] == 2 && added.json["present"] == 1, "\(added)")
            let much = try await service.post(
                "/v1/campaigns/\(id)/users", #"{"users": [{"user": "cat", "coins": 21}]}"#, as: token)
            #expect(much.status == 400 && much.code == "invalid_request", "\(much)")
            let uploaded = try await Self.upload("user,coins\ncat\nbob,1\n", to: id, service)
            #expect(uploaded.json["added"] == 1 && uploaded.json["lacking"] == 5, "\(uploaded)")
            let bad = try await Self.upload("dan\neve,none\n", to: id, service)
            #expect(bad.status == 400 && bad.text.contains("line 2"), "\(bad)")

            var campaign = try await Self.awaitStatus("paused", of: id, service)
            #expect(campaign["status_reason"] == "budget_met" && campaign["costs"]["given"] == 30, "\(campaign)")
            #expect(campaign["progress"]["waiting"] == 1 && campaign["costs"]["to_give"] == 5, "\(campaign)")
            let spent = try await service.post("/v1/users/bob/spends", #"{"coins": 3}"#, key: "s")
            #expect(spent.status == 201, "\(spent)")

            let voided = try await service.post(
                "/v1/campaigns/\(id)/void", #"{"reason": "the wrong users"}"#, as: token)
            #expect(voided.status == 200, "\(voided)")
            campaign = try await Self.awaitStatus("voided", of: id, service)
            #expect(campaign["costs"]["used"] == 3 && campaign["costs"]["voided"] == 27, "\(campaign)")
            #expect(campaign["costs"]["open"] == 0 && campaign["costs"]["expected"] == 0, "\(campaign)")
            let closed = try await service.post("/v1/campaigns/\(id)/resume", "", as: token)
            #expect(closed.status == 409 && closed.json["campaign_state"] == "voided", "\(closed)")
            let listed = try await service.get("/v1/campaigns", as: token)
            #expect(listed.json["campaigns"].elements.map { $0["id"].integer } == [id], "\(listed)")
            try await house.settled()
            let events = try await service.get("/v1/events?types=campaign.paused,campaign.voided", as: Token.events())
            #expect(events.json["events"].elements.map { $0["data"]["campaign"]["id"].integer } == [id, id])
            #expect(try await service.get("/v1/campaigns/999", as: token).status == 404)
            try await house.expectSound()
        }
    }

    @Test func `a code is claimed once by each user`() async throws {
        try await House.open { house, _, service in
            let token = Token.service()
            let body = #"{"name": "w", "coins": 5, "budget": 10, "reason": "w", "code": "WELCOME", "note": "Hello!"}"#
            let made = try await service.post("/v1/campaigns", body, as: token)
            let id = sure(made.json["id"].integer)
            let claim = #"{"code": "WELCOME"}"#
            let first = try await service.post("/v1/users/ann/claims", claim, as: token)
            #expect(first.status == 201 && first.json["grant"]["coins"] == 5, "\(first)")
            #expect(first.json["note"] == "Hello!" && first.json["balance"]["available"] == 5, "\(first)")
            let again = try await service.post("/v1/users/ann/claims", claim, as: token)
            #expect(again.json["grant"] == first.json["grant"], "\(again)")
            let nobody = "forgotten-" + String(repeating: "0", count: 32)
            let forgotten = try await service.post("/v1/users/\(nobody)/claims", claim, as: token)
            #expect(forgotten.status == 400 && forgotten.code == "invalid_request", "\(forgotten)")
            #expect(try await service.post("/v1/users/bob/claims", claim, as: token).status == 201)
            let met = try await service.post("/v1/users/cat/claims", claim, as: token)
            #expect(met.status == 409 && met.json["campaign_state"] == "budget_met", "\(met)")
            let unknown = try await service.post("/v1/users/ann/claims", #"{"code": "AUTUMN"}"#, as: token)
            #expect(unknown.status == 404, "\(unknown)")
            let users = try await service.post(
                "/v1/campaigns/\(id)/users", #"{"users": [{"user": "dan"}]}"#, as: token)
            #expect(users.status == 409 && users.json["campaign_state"] == "has_code", "\(users)")
            let writing = Token.make(sub: "w", scope: "service:write")
            let refused = try await service.post("/v1/users/dan/claims", claim, as: writing)
            #expect(refused.status == 403 && refused.json["required_scope"] == "service:grant", "\(refused)")
            try await house.expectSound()
        }
    }

    @Test func `what was reserved for two ids of a person is free again when one of them repeats the claim`()
        async throws
    {
        try await House.open { house, _, service in
            let token = Token.service()
            let body = #"{"name": "w", "coins": 5, "budget": 10, "reason": "w", "code": "WELCOME"}"#
            #expect(try await service.post("/v1/campaigns", body, as: token).status == 201)
            for name in ["ann", "bob"] {
                let granted = try await service.post(
                    "/v1/users/\(name)/grants", #"{"coins": 1, "reason": "x"}"#, key: "meet-\(name)")
                try #require(granted.status == 201, "\(granted)")
                // As if the process had ended before the grant.
                try await house.books.execute("SELECT claim_campaign('WELCOME', '\(name)')")
            }
            let merged = try await service.post(
                "/v1/users/ann/merge", #"{"into": "bob", "reason": "two sign-ins"}"#, key: "merge")
            try #require(merged.status == 201, "\(merged)")
            for _ in 1...2 {
                let claimed = try await service.post("/v1/users/bob/claims", #"{"code": "WELCOME"}"#, as: token)
                #expect(claimed.status == 201 && claimed.json["grant"]["coins"] == 5, "\(claimed)")
            }
            #expect(try await house.books.count("SELECT reserved FROM campaign") == 5)
            let next = try await service.post("/v1/users/cat/claims", #"{"code": "WELCOME"}"#, as: token)
            #expect(next.status == 201, "\(next)")
            try await house.expectSound()
        }
    }

    @Test func `limits of grants hold for campaigns, and above that of a person it waits for another one`() async throws
    {
        let settings = [
            "LEDGERD_GRANT_LIMIT": "20", "LEDGERD_GRANT_DAILY_LIMIT": "100", "LEDGERD_CONSOLE_GRANT_LIMIT": "30",
        ]
        try await House.open(settings) { house, _, service in
            let token = Token.service()
            func create(_ name: String, coins: Int, budget: Int) async throws -> Answer {
                try await service.post(
                    "/v1/campaigns",
                    #"{"name": "\#(name)", "coins": \#(coins), "budget": \#(budget), "reason": "x"}"#, as: token)
            }
            let much = try await create("a", coins: 21, budget: 21)
            #expect(much.status == 403 && much.code == "grant_limit_exceeded", "\(much)")
            #expect(try await create("b", coins: 10, budget: 30).json["status"] == "active")
            #expect(try await create("c", coins: 10, budget: 31).json["status"] == "waiting")
            #expect(try await create("c", coins: 10, budget: 31).status == 201, "it is counted once")
            let day = try await create("d", coins: 10, budget: 40)
            #expect(day.status == 403 && day.json["available"] == 39, "\(day)")
            try await house.expectSound()
        }
    }

    @Test func `a repeat is the same campaign, also when its time is over`() async throws {
        try await House.open { house, _, service in
            func create(coins: Int = 5, until end: String) async throws -> Answer {
                try await service.post(
                    "/v1/campaigns",
                    #"{"name": "x", "coins": \#(coins), "budget": 10, "reason": "x", "ends_at": "\#(end)T00:00:00Z"}"#,
                    as: Token.service())
            }
            let made = try await create(until: "2100-01-01")
            #expect(made.status == 201, "\(made)")
            // As if it were long ago: its times do not change otherwise.
            try await house.books.execute(
                """
                ALTER TABLE campaign DISABLE TRIGGER campaign_is_judged;
                UPDATE campaign SET starts_at = '2020-01-01Z', ends_at = '2021-01-01Z';
                ALTER TABLE campaign ENABLE TRIGGER campaign_is_judged;
                """)
            let same = try await create(until: "2021-01-01")
            #expect(same.status == 201 && same.json["id"] == made.json["id"], "\(same)")
            #expect(try await create(coins: 4, until: "2021-01-01").code == "campaign_exists")
            try await house.expectSound()
        }
    }

    private static func upload(_ text: String, to id: Int64, _ service: Service) async throws -> Answer {
        try await service.send(
            .post, "/v1/campaigns/\(id)/users/file", as: Token.service(), headers: [("Content-Type", "text/csv")],
            body: text)
    }

    /// The campaign, when it has this status.
    private static func awaitStatus(_ status: String, of id: Int64, _ service: Service) async throws -> JSON {
        var campaign = JSON.null
        try await eventually("the campaign is \(status)") {
            campaign = try await service.get("/v1/campaigns/\(id)", as: Token.service()).json
            return campaign["status"].text == status
        }
        return campaign
    }
}
