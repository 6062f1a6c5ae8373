import Foundation
import TestSupport
import Testing

/// How endpoints are created, changed and refused.
@Suite(.timeLimit(.minutes(20))) struct EndpointsAPITests {
    private func create(_ body: String, key: String, at service: Service) async throws -> Answer {
        try await service.post("/v1/endpoints", body, key: key, as: Token.endpoints())
    }

    @Test func `an endpoint is created once for each key, listed, changed and deleted`() async throws {
        try await House.open(HookReceiver.settings) { _, _, service in
            let body = #"{"url": "https://hooks.example.com/a/", "types": ["coins.spent"], "description": "a game"}"#
            let created = try await create(body, key: "k", at: service)
            #expect(created.status == 201 && created.json["url"] == "https://hooks.example.com/a/", "\(created)")
            let repeated = try await create(body, key: "k", at: service)
            #expect(repeated.json == created.json && repeated.headers["Idempotent-Replayed"] == "true")
            let other = try await create(#"{"url": "https://hooks.example.com/b"}"#, key: "k", at: service)
            #expect(other.status == 422 && other.code == "idempotency_key_reused")
            #expect(
                try await service.post("/v1/endpoints", body, as: Token.endpoints()).code == "idempotency_key_missing")

            let id = try #require(created.json["id"].integer)
            let list = try await service.get("/v1/endpoints", as: Token.endpoints()).json["endpoints"].elements
            #expect(list == [created.json.without("secret")])
            let changed = try await service.send(
                .patch, "/v1/endpoints/\(id)", as: Token.endpoints(), headers: [("Content-Type", "application/json")],
                body: #"{"users": ["ann"], "enabled": false}"#)
            #expect(changed.json["users"].elements == ["ann"] && changed.json["status_reason"] == "requested")
            #expect(changed.json["types"].elements == ["coins.spent"])
            #expect(try await service.send(.delete, "/v1/endpoints/\(id)", as: Token.endpoints()).status == 204)
            for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")] {
                let answer = try await service.send(
                    sure(.init(rawValue: method)), "/v1/endpoints/\(id)\(path)", as: Token.endpoints())
                #expect(answer.status == 404, "\(method) \(path): \(answer)")
            }
        }
    }

    @Test func `only tokens with the scope may see or change endpoints`() async throws {
        try await House.open(HookReceiver.settings) { _, _, service in
            for token in [Token.user("ann"), Token.service(), Token.finance()] {
                let answer = try await service.get("/v1/endpoints", as: token)
                #expect(answer.json["required_scope"] == "endpoints", "\(answer)")
            }
            let keys = try await service.get("/v1/webhook-keys").json["keys"].elements
            #expect(keys.isEmpty)
        }
    }

    @Test func `a name that leads to a forbidden address is not connected to`() async throws {
        try await HookReceiver.with { receiver in
            // Nobody is allowed: neither the receiver's address, nor a name of it.
            let settings = HookReceiver.settings.merging(["LEDGERD_ENDPOINT_NETWORKS": "10.0.0.1"]) { $1 }
            try await House.open(settings) { house, _, service in
                // It was allowed when it was created; names are also resolved anew for each connection.
                let id = try #require(
                    try await service.addEndpoint("https://hooks.example.com:\(receiver.port)/")["id"].integer)
                for host in ["127.0.0.1", "localhost"] {
                    try await house.books.execute(
                        "UPDATE endpoint SET url = 'http://\(host):\(receiver.port)/', version = version + 1")
                    let test = try await service.post("/v1/endpoints/\(id)/test", "", as: Token.endpoints())
                    #expect(test.json["outcome"] == "forbidden_address", "\(host): \(test)")
                }
                try await service.give("ann")
                try await eventually("it is tried") {
                    try await house.books.count(
                        "SELECT count(*) FROM endpoint_attempt WHERE outcome = 'forbidden_address'") >= 1
                }
                #expect(receiver.hooks.isEmpty)
            }
        }
    }

    @Test func `a test event is sent at once, and its answer is shown`() async throws {
        try await HookReceiver.with { receiver in
            try await House.open(HookReceiver.settings) { _, _, service in
                let id = try #require(try await service.addEndpoint(receiver.url)["id"].integer)
                let good = try await service.post("/v1/endpoints/\(id)/test", "", as: Token.endpoints())
                #expect(good.json["outcome"] == "delivered" && good.json["status"] == 200, "\(good)")
                receiver.reply { _ in .status(302, ["Location": "https://example.com/"], body: "elsewhere") }
                let redirected = try await service.post("/v1/endpoints/\(id)/test", "", as: Token.endpoints())
                #expect(redirected.json["outcome"] == "redirected" && redirected.json["answer"] == "elsewhere")
            }
        }
    }

    @Test func `wrong members and URLs that ledgerd must not call are refused with what to do`() async throws {
        try await House.open(HookReceiver.settings) { _, _, service in
            // The rule has its own test.
            for url in ["http://hooks.example.com/", "https://10.0.0.1/", ""] {
                let answer = try await create(#"{"url": "\#(url)"}"#, key: "k", at: service)
                #expect(answer.status == 422 && answer.code == "endpoint_url_refused", "\(url): \(answer)")
            }
            for (member, code, word) in [
                (#""types": ["coins.spend"]"#, "invalid_request", "did you mean coins.spent?"),
                (#""users": [""]"#, "invalid_request", "/users/0"), (#""after": -1"#, "invalid_request", "/after"),
                (#""typ": []"#, "unknown_member", "types"),
            ] {
                let answer = try await create(#"{"url": "https://example.com", \#(member)}"#, key: "k", at: service)
                #expect(answer.code == code && answer.text.contains(word), "\(answer)")
            }
        }
    }

    @Test func `without a key for endpoints nothing is created`() async throws {
        try await House.open { _, _, service in
            let answer = try await create(#"{"url": "https://example.com"}"#, key: "k", at: service)
            #expect(answer.status == 422 && answer.code == "endpoints_off", "\(answer)")
        }
    }

    @Test func `the command line does what the API does`() async throws {
        try await HookReceiver.with { receiver in
            try await House.open(HookReceiver.settings) { house, _, service in
                let settings = HookReceiver.settings.merging(["LEDGERD_DATABASE_URL": house.ledger.serviceURL]) { $1 }
                let added = try await house.run(
                    "endpoints", "add", receiver.url, "--types", "coins.granted", with: settings)
                #expect(added.exit == .code(0) && added.output.contains(/secret: whsec_\S{44}\n/), "\(added)")
                try await service.give("ann")
                try await eventually("the event arrives") { receiver.hooks.count == 1 }
                let id = try await house.books.count("SELECT id FROM endpoint")
                // What a shell makes of empty variables never means all.
                for arguments in [
                    ["add", receiver.url, "--users", ""], ["add", receiver.url, "--types", ""],
                    ["add", receiver.url, "--users", ","], ["change", "\(id)", "--types", ","],
                    ["change", "\(id)", "--users", " , "],
                ] {
                    let refused = try await house.run(
                        "endpoints", arguments[0], arguments[1], arguments[2], arguments[3], with: settings)
                    #expect(refused.exit == .code(64) && refused.errors.contains(arguments[2]), "\(refused)")
                }
                let list = try await house.run("endpoints", with: settings)
                #expect(list.output.contains(receiver.url) && list.output.contains("coins.granted"), "\(list)")
                try await eventually("its delivery is listed") {
                    try await house.run("endpoints", "deliveries", "\(id)", with: settings).output
                        .contains("delivered")
                }
                let replayed = try await house.run("endpoints", "replay", "\(id)", "--after", "0", with: settings)
                #expect(replayed.exit == .code(0), "\(replayed)")
                try await eventually("the event arrives again") { receiver.hooks.count == 2 }
                let tested = try await house.run("endpoints", "test", "\(id)", with: settings)
                #expect(tested.exit == .code(0) && tested.output.contains("delivered, HTTP 200"), "\(tested)")
                let rotated = try await house.run("endpoints", "rotate-secret", "\(id)", with: settings)
                #expect(rotated.output.contains("whsec_"), "\(rotated)")
                // Only a URL needs the settings of webhooks, as in the API.
                let database = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
                let changed = try await house.run("endpoints", "change", "\(id)", "--disable-sending", with: database)
                #expect(changed.output.contains("disabled (requested)"), "\(changed)")
                let deleted = try await house.run("endpoints", "delete", "\(id)", with: settings)
                #expect(deleted.exit == .code(0), "\(deleted)")
                let refused = try await house.run("endpoints", "add", "https://10.0.0.1/", with: settings)
                #expect(refused.exit == .code(64) && refused.errors.contains("private network"), "\(refused)")
                let moved = try await house.run(
                    "endpoints", "change", "\(id)", "--url", "https://10.0.0.1/", with: settings)
                #expect(moved.exit == .code(64) && moved.errors.contains("--url must not have a host"), "\(moved)")
                let gone = try await house.run("endpoints", "replay", "\(id)", "--after", "0", with: settings)
                #expect(gone.exit == .code(1) && gone.errors.contains("the endpoint does not exist"), "\(gone)")
                let keys = try await house.run("endpoints", "keygen")
                #expect(
                    keys.output.contains(/LEDGERD_ENDPOINT_KEY=\S{44}\nLEDGERD_ENDPOINT_SIGNING_KEYS=whsk_\S{44}\n/))
            }
        }
    }
}
