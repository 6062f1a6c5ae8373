import Foundation
import StandardWebhooks
import TestSupport
import Testing

/// Events arrive at endpoints: signed, in order, whatever the receiver does.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DeliveryTests {
    @Test func `an event arrives signed, and as the API shows it`() async throws {
        let key = WebhookSigningKey()
        let settings = HookReceiver.settings.merging(["LEDGERD_ENDPOINT_SIGNING_KEYS": key.text]) { $1 }
        try await HookReceiver.with { receiver in
            try await House.open(settings) { house, _, service in
                let endpoint = try await service.addEndpoint(receiver.url)
                try await service.give("ann", coins: 7)
                try await eventually("the event arrives") { receiver.hooks.count == 1 }
                let hook = try #require(receiver.hooks.first)
                #expect(hook.type == "coins.granted" && hook.user == "ann")
                let response = try await service.get(
                    "/v1/events/\(hook.seq)", as: Token.make(sub: "reader", scope: "events"))
                #expect(response.status == 200 && Data(response.text.utf8) == hook.body, "\(response)")

                let secret = try #require(endpoint["secret"].text)
                let verifier = try WebhookVerifier(secrets: [secret])
                try hook.verify(with: verifier)
                #expect(throws: WebhookVerificationError.badSignature) {
                    try hook.verify(with: verifier, body: hook.body + Data(" ".utf8))
                }
                let published = try await service.get("/v1/webhook-keys").json["keys"].elements
                let whpk = try #require(published.first?["whpk"].text)
                #expect(whpk == key.publicKey.text && published.count == 1)
                try hook.verify(with: try WebhookVerifier(secrets: [], publicKeys: [whpk]))

                let list = "/v1/endpoints/\(try #require(endpoint["id"].integer))/deliveries"
                try await eventually("its delivery is listed") {
                    try await service.get(list, as: Token.endpoints()).json["deliveries"].elements
                        .map { $0["outcome"] } == ["delivered"]
                }
                #expect(!service.log.contains(secret))
            }
        }
    }

    @Test func `after a rotation both secrets sign for a day, then the new one alone`() async throws {
        try await HookReceiver.with { receiver in
            try await House.open(HookReceiver.settings) { house, _, service in
                let endpoint = try await service.addEndpoint(receiver.url)
                let id = try #require(endpoint["id"].integer)
                let path = "/v1/endpoints/\(id)/rotate-secret"
                let rotated = try await service.post(path, "", key: "once", as: Token.endpoints())
                #expect(rotated.status == 200, "\(rotated)")
                let again = try await service.post(path, "", key: "once", as: Token.endpoints())
                #expect(
                    again.json["secret"] == rotated.json["secret"] && again.headers["Idempotent-Replayed"] == "true")
                let (old, new) = (
                    try WebhookVerifier(secrets: [try #require(endpoint["secret"].text)]),
                    try WebhookVerifier(secrets: [try #require(rotated.json["secret"].text)])
                )
                try await service.give("ann")
                try await eventually("the event arrives") { receiver.hooks.count == 1 }
                for verifier in [old, new] { try receiver.hooks[0].verify(with: verifier) }
                let until = try await house.books.count(
                    "SELECT (extract(epoch FROM former_until - now()) / 3600)::bigint FROM endpoint")
                #expect(until == 24)

                try await house.books.execute("UPDATE endpoint SET former_until = now(), version = version + 1")
                // A turn that goes on meanwhile still signs with both.
                try await eventually("the new secret alone signs") {
                    let count = receiver.hooks.count
                    try await service.give("ann")
                    try await eventually("the event arrives") { receiver.hooks.count > count }
                    try receiver.hooks[count].verify(with: new)
                    return (try? receiver.hooks[count].verify(with: old)) == nil
                }
            }
        }
    }

    @Test func `the database holds no secret of a receiver`() async throws {
        try await House.open(HookReceiver.settings) { house, _, service in
            let endpoint = try await service.addEndpoint("https://hooks.example.com/")
            let secret = try #require(endpoint["secret"].text)
            let bytes = try #require(Data(base64Encoded: String(secret.dropFirst(6))))
            let row = try await house.books.texts("SELECT endpoint::text FROM endpoint").joined()
            let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(!row.contains(hex) && !row.contains(secret.dropFirst(6)))
            #expect(try await service.endpoint(try #require(endpoint["id"].integer))["secret"] == nil)
        }
    }

    @Test func `what a slow user got is not sent again by the next process`() async throws {
        try await HookReceiver.with { receiver in
            receiver.reply { $0.seq == 1 ? .held : .ok }
            try await House.openProcess(HookReceiver.settings) { house, gateway, service in
                _ = try await service.addEndpoint(receiver.url)
                try await service.give("ann")
                try await eventually("the user waits") {
                    try await house.books.count("SELECT count(*) FROM endpoint_lane") == 1
                }
                for _ in 0..<5 { try await service.give("ann") }
                receiver.release()
                try await eventually("all arrive") { receiver.hooks.count == 6 }
                try await eventually("nothing waits") {
                    try await house.books.count("SELECT count(*) FROM endpoint_lane") == 0
                }
                try await eventually("it is kept how far it came") {
                    try await house.books.count("SELECT min(position) FROM endpoint_reader") >= 6
                }
                try await house.kill(service.process)
                let next = try await house.serve(at: gateway, HookReceiver.settings)
                try await next.give("bob")
                try await eventually("the next event arrives") { receiver.hooks.contains { $0.user == "bob" } }
                #expect(receiver.hooks.map(\.seq) == Array(1...7))
            }
        }
    }

    @Test func `what is not wanted is not sent, and costs no writes`() async throws {
        try await HookReceiver.with { receiver in
            try await House.open(HookReceiver.settings) { house, _, service in
                _ = try await service.addEndpoint(receiver.url + "/spends", #", "types": ["coins.spent"]"#)
                _ = try await service.addEndpoint(receiver.url + "/bob", #", "users": ["bob"]"#)
                for user in ["ann", "bob", "carol"] { try await service.give(user, coins: 5) }
                let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 2}"#, key: "s")
                #expect(spent.status == 201, "\(spent)")
                // The last event that /bob wants comes after those that it does not want.
                try await service.give("bob", coins: 5)
                try await eventually("all that is wanted arrives") { receiver.hooks.count == 3 }
                #expect(
                    receiver.hooks.map { "\($0.path) \($0.type)" }.sorted() == [
                        "/hooks/bob coins.granted", "/hooks/bob coins.granted", "/hooks/spends coins.spent",
                    ])
                // ledgerd notes attempts when it has their answers; several can share a row.
                try await eventually("the attempts are noted") {
                    try await house.books.count("SELECT count(*) FROM endpoint_attempt, unnest(seqs)") == 3
                }
            }
        }
    }

    @Test func `a month is replayed`() async throws {
        try await HookReceiver.with { receiver in
            try await House.open(HookReceiver.settings) { house, _, service in
                for number in 0..<300 { try await service.give("user-\(number % 7)") }
                try await eventually("all are numbered") { try await house.books.unnumbered == 0 }
                let last = try await house.books.lastEvent
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                #expect(receiver.hooks.isEmpty, "a new endpoint begins with what happens next")
                let replay = try await service.post(
                    "/v1/endpoints/\(id)/replay", #"{"after": 20, "until": 250}"#, key: "month", as: Token.endpoints())
                #expect(replay.status == 202 && replay.json["until"] == 250, "\(replay)")
                try await eventually("it is finished") {
                    try await house.books.count("SELECT count(*) FROM endpoint_reader WHERE finished_at IS NOT NULL")
                        == 1
                }
                #expect(receiver.expectOrder() == Set(21...250) && receiver.hooks.count == 230)
                let again = try await service.post(
                    "/v1/endpoints/\(id)/replay", #"{"after": 20, "until": 250}"#, key: "month", as: Token.endpoints())
                #expect(again.status == 202 && again.headers["Idempotent-Replayed"] == "true")
                _ = try await service.addEndpoint(receiver.url + "/all", #", "after": 0"#)
                try await eventually("all of history arrives") {
                    Set(receiver.kept(at: "/hooks/all").map(\.seq)).count == Int(last)
                }
                #expect(receiver.expectOrder(at: "/hooks/all") == Set(1...last))
                #expect(
                    try await house.books.count("SELECT count(*) FROM endpoint_attempt") < 100, "successes share rows")
            }
        }
    }
}
