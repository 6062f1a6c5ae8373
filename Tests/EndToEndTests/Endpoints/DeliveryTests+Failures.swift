import StandardWebhooks
import TestSupport
import Testing

extension DeliveryTests {
    @Test func `one user's failing event holds back that user only, and its attempts are kept`() async throws {
        try await HookReceiver.with { receiver in
            receiver.reply { $0.user == "ann" ? .status(500, body: String(repeating: "no", count: 1000)) : .ok }
            try await House.open(HookReceiver.settings) { house, _, service in
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                for user in ["ann", "bob", "ann", "carol", "ann", "bob"] { try await service.give(user) }
                try await eventually("the others' events arrive") {
                    receiver.hooks.map(\.user).sorted() == ["bob", "bob", "carol"]
                }
                try await eventually("the failure is kept") {
                    try await house.books.count(
                        "SELECT count(*) FROM endpoint_lane WHERE lane = 'ann' AND attempts > 0") == 1
                }
                let failed = try await service.get(
                    "/v1/endpoints/\(id)/deliveries?failed=true", as: Token.endpoints()
                ).json["deliveries"].elements
                #expect(failed.first?["outcome"] == "refused" && failed.first?["status"] == 500)
                #expect(failed.first?["answer"].text?.count == 1024)

                receiver.reply { _ in .ok }
                try await house.books.makeLanesDue()
                try await eventually("what was held back arrives") { receiver.hooks.count == 6 }
                #expect(receiver.expectOrder().count == 6)
                try await eventually("nothing waits") {
                    try await house.books.count("SELECT count(*) FROM endpoint_lane") == 0
                }
                #expect(try await house.books.count("SELECT count(*) FROM endpoint_failure") == 0)
            }
        }
    }

    @Test func `an attempt that hangs holds back its user only`() async throws {
        try await HookReceiver.with { receiver in
            receiver.reply { $0.user == "ann" ? .held : .ok }
            try await House.open(HookReceiver.settings) { house, _, service in
                _ = try await service.addEndpoint(receiver.url)
                try await service.give("ann")
                // The window of the first event has begun without bob's.
                try await eventually("ann's event is under way") { receiver.requests == 1 }
                for _ in 0..<20 { try await service.give("bob") }
                try await eventually("bob's events arrive") { receiver.hooks.count == 20 }
                #expect(
                    try await house.books.count("SELECT count(*) FROM endpoint_attempt WHERE outcome <> 'delivered'")
                        == 0, "ann's attempt has not ended")
                receiver.expectOrder()
            }
        }
    }

    @Test func `410 disables the endpoint, which is an event, and when enabled it misses nothing`() async throws {
        try await HookReceiver.with { receiver in
            receiver.reply { _ in .status(410) }
            try await House.open(HookReceiver.settings) { house, _, service in
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                try await service.give("ann")
                try await eventually("it is disabled") { try await service.endpoint(id)["status"] == "disabled" }
                #expect(try await service.endpoint(id)["status_reason"] == "gone")
                let reported = try await house.books.texts("SELECT type || ' ' || (detail->>'reason') FROM occurrence")
                #expect(reported == ["endpoint.disabled gone"])
                try await service.give("ann")
                receiver.reply { _ in .ok }
                let enabled = try await service.send(
                    .patch, "/v1/endpoints/\(id)", as: Token.endpoints(),
                    headers: [("Content-Type", "application/json")], body: #"{"enabled": true}"#)
                #expect(enabled.json["status"] == "enabled", "\(enabled)")
                try await eventually("both arrive") { receiver.kept().count(where: { $0.user == "ann" }) == 2 }
                receiver.expectOrder()
            }
        }
    }

    @Test func `five days of failures alone disable the endpoint and open a finding`() async throws {
        try await HookReceiver.with { receiver in
            receiver.reply { _ in .status(503) }
            try await House.open(HookReceiver.settings) { house, _, service in
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                try await service.give("ann")
                try await eventually("it fails") { try await service.endpoint(id)["failing_since"] != nil }
                #expect(try await service.endpoint(id)["status"] == "enabled")
                try await house.books.execute("UPDATE endpoint SET failing_since = now() - interval '5 days'")
                try await house.books.makeLanesDue()
                try await eventually("it is disabled") { try await service.endpoint(id)["status_reason"] == "failing" }
                let findings = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
                #expect(findings.map { $0["kind"] } == ["endpoint_failing"])
                #expect(findings.first?["endpoint_id"].integer == id)
                let gauges = try await service.get("/metrics").text
                #expect(gauges.contains("ledgerd_endpoint_attempts_total{outcome=\"refused\"}"))
                let enabled = try await service.send(
                    .patch, "/v1/endpoints/\(id)", as: Token.endpoints(),
                    headers: [("Content-Type", "application/json")], body: #"{"enabled": true}"#)
                #expect(enabled.status == 200)
                let left = try await service.get("/v1/findings", as: Token.finance()).json["findings"].elements
                #expect(left.isEmpty)
            }
        }
    }

    @Test func `an event that was given up does not block its user, and a replay of failures delivers it`() async throws
    {
        try await HookReceiver.with { receiver in
            receiver.reply { $0.user == "ann" ? .status(500) : .ok }
            try await House.open(HookReceiver.settings) { house, _, service in
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                try await service.give("ann")
                try await eventually("it has failed") {
                    try await house.books.count("SELECT count(*) FROM endpoint_lane WHERE attempts = 1") == 1
                }
                try await house.books.execute("UPDATE endpoint_lane SET attempts = 10, next_attempt_at = now()")
                try await eventually("it is given up") {
                    try await house.books.count("SELECT count(*) FROM endpoint_failure") == 1
                }
                receiver.reply { _ in .ok }
                try await service.give("ann")
                try await eventually("the next event arrives") { receiver.hooks.count == 1 }
                let replay = try await service.post(
                    "/v1/endpoints/\(id)/replay", #"{"after": 0, "only_failed": true}"#, key: "r", as: Token.endpoints()
                )
                #expect(replay.status == 202, "\(replay)")
                try await eventually("the given-up event arrives") { receiver.hooks.count == 2 }
                #expect(receiver.hooks[1].seq < receiver.hooks[0].seq)
                try await eventually("the replay is finished") {
                    try await service.get("/v1/endpoints/\(id)/replays", as: Token.endpoints())
                        .json["replays"].elements.first?["finished_at"].text != nil
                }
                #expect(try await house.books.count("SELECT count(*) FROM endpoint_failure") == 0)
            }
        }
    }

    @Test func `a receiver that is down and comes back gets everything, each user's in order`() async throws {
        try await House.open(HookReceiver.settings) { house, _, service in
            let port = TestPort.next()
            _ = try await service.addEndpoint("http://127.0.0.1:\(port)/hooks")
            for number in 0..<200 { try await service.give("user-\(number % 20)") }
            try await eventually("it is known to be down") {
                try await house.books.count("SELECT count(*) FROM endpoint WHERE failures >= 3") == 1
            }
            // An outage costs few rows: what was not tried waits in the events.
            #expect(try await house.books.count("SELECT count(*) FROM endpoint_lane") <= 128)
            try await HookReceiver.with(port: port) { receiver in
                try await house.books.makeLanesDue()
                try await eventually("all arrive") { Set(receiver.hooks.map(\.seq)).count == 200 }
                receiver.expectOrder()
            }
        }
    }
}
