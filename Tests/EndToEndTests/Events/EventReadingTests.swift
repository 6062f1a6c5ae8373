import Foundation
import TestSupport
import Testing

/// Events as other services read them.
@Suite(.serialized, .timeLimit(.minutes(20))) struct EventReadingTests {
    @Test func `a reader that waits is answered as soon as something happens, through another service too`()
        async throws
    {
        try await House.open { house, gateway, service in
            let other = try await house.serve(at: gateway)
            for (number, buying) in [service, other].enumerated() {
                let bystander = try RawClient(port: service.port)
                try await bystander.send(
                    "GET /v1/events?types=coins.frozen&wait=60 HTTP/1.1\r\nHost: x\r\n"
                        + "Authorization: Bearer \(Token.events())\r\n\r\n")
                try await eventually("a reader waits for other events") { try await service.readers == 1 }
                async let waiting = service.get("/v1/events?after=\(number)&wait=60", as: Token.events())
                try await eventually("a reader waits") { try await service.readers == 2 }
                #expect(try await buying.present(try await gateway.pay()).status == 201)
                let page = try await waiting
                #expect(!bystander.isAnswered, "it was answered when its wait was over")
                bystander.shutDown()
                try await eventually("nobody waits") { try await service.readers == 0 }
                #expect(page.status == 200 && page.json["next"] == .integer(Int64(number + 1)), "\(page)")
                let event = page.json["events"].elements.first ?? .null
                #expect(event["type"] == "purchase.credited" && event["user"] == "ann", "\(page)")
                #expect(event["data"]["balance"]["total"] == .integer(Int64(100 * (number + 1))))
                #expect(event["data"]["purchase"]["imp_uid"].text?.hasPrefix("imp_") == true)
                let alone = try await other.get("/v1/events/\(number + 1)", as: Token.events())
                #expect(alone.json == event)
            }
            #expect(try await service.get("/v1/events/3", as: Token.events()).code == "not_found")
            let nothing = try await service.get("/v1/events?after=2&wait=1", as: Token.events())
            #expect(nothing.json["events"] == .array([]) && nothing.json["next"] == 2 && !nothing.isProblem)
            try await house.expectSound()
        }
    }

    @Test func `a stream goes on after the last event that its client got`() async throws {
        try await House.open { house, gateway, service in
            _ = try await service.present(try await gateway.pay())
            let first = try await service.stream()
            #expect(try await first.text(until: "\"total\":100").contains("id: 1\nevent: purchase.credited\ndata: {"))
            _ = try await service.present(try await gateway.pay())
            #expect(try await first.text(until: "\"total\":200").contains("id: 2\nevent: purchase.credited\n"))
            let again = try await service.stream("Last-Event-ID: 1\r\n")
            let text = try await again.text(until: "\"total\":200")
            #expect(text.contains("id: 2\nevent:") && !text.contains("id: 1\nevent:"), "\(text)")
        }
    }

    @Test func `a client that goes away frees its place, and a service that stops lets its readers go`() async throws {
        try await House.openProcess { house, _, service in
            for headers in ["", "Accept: text/event-stream\r\n"] {
                let reader = try RawClient(port: service.port)
                try await reader.send(
                    "GET /v1/events?wait=60 HTTP/1.1\r\nHost: x\r\n\(headers)Authorization: Bearer \(Token.events())\r\n\r\n"
                )
                try await eventually("a reader waits") { try await service.readers == 1 }
                reader.shutDown()
                try await eventually("its place is free") { try await service.readers == 0 }
            }
            async let waiting = service.get("/v1/events?wait=60", as: Token.events())
            let stream = try await service.stream()
            try await eventually("readers wait") { try await service.readers == 2 }
            #expect(try await service.stop() == .code(0))
            // They wait longer than the service does.
            #expect(!service.log.contains("shutdown deadline"))
            #expect(try await waiting.status == 200)
            #expect(try await stream.text(until: "\r\n0\r\n\r\n").hasSuffix("0\r\n\r\n"), "the stream was cut off")
        }
    }

    @Test func `what is asked wrongly is refused by name, and only the scope events may ask`() async throws {
        try await House.open { _, _, service in
            for (query, member) in [
                ("after=-1", "after"), ("after=x", "after"), ("after=%2B1", "after"), ("after=", "after"),
                ("wait=61", "wait"), ("wait=%2B1", "wait"), ("limit=1001", "limit"), ("limit=-0", "limit"),
                ("types=purchase.credit", "types"), ("types=", "types"), ("user=", "user"), ("since=1", "since"),
            ] {
                let answer = try await service.get("/v1/events?\(query)", as: Token.events())
                #expect(answer.status == 400 && answer.json["member"].text == member, "\(query): \(answer)")
            }
            let resumed = try await service.send(
                .get, "/v1/events", as: Token.events(), headers: [("Last-Event-ID", "one")])
            #expect(resumed.status == 400 && resumed.json["member"].text == "Last-Event-ID", "\(resumed)")
            for token in [Token.service(), Token.finance(), Token.user("ann")] {
                #expect(try await service.get("/v1/events", as: token).json["required_scope"] == "events")
            }
            #expect(try await service.get("/v1/events").status == 401)
        }
    }

    @Test func `the command prints events, as a table and as JSON`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            _ = try await service.present(payment)
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 30, "reference": "song:1"}"#, key: "s")
            try await eventually("both are events") { try await house.books.count("SELECT count(*) FROM event") == 2 }
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let table = try await house.run("events", "tail", "--after", "0", "--no-follow", with: settings)
            #expect(table.exit == .code(0), "\(table.errors)")
            let lines = table.output.split(separator: "\n")
            #expect(lines.count == 3 && lines[0].hasPrefix("SEQ  TIME"), "\(table.output)")
            #expect(lines[1].contains(/purchase\.credited +ann +\+100 +100/) && lines[1].contains(payment.impUID))
            #expect(lines[2].contains(/coins\.spent +ann +-30 +70 +song:1/), "\(table.output)")
            let json = try await house.run(
                "events", "tail", "--after", "0", "--types", "coins.spent", "--json", "--no-follow", with: settings)
            #expect(JSON(Array(json.output.utf8))["data"]["lots"].elements.first?["coins"] == 30, "\(json.output)")
            let follower = try house.start(["events", "tail", "--json"], settings)
            try await eventually("the command follows") {
                _ = try await service.post(
                    "/v1/users/ann/grants", #"{"coins": 1, "reason": "x"}"#, key: UUID().uuidString)
                return follower.standardOutput.contains("coins.granted")
            }
            let wrong = try await house.run("events", "tail", "--types", "coins.spend", with: settings)
            #expect(wrong.errors.contains("coins.spent"), "\(wrong.errors)")
            for none in ["", ",", "coins.spent,"] {
                let all = try await house.run(
                    "events", "tail", "--after", "0", "--types", none, "--no-follow", with: settings)
                #expect(all.exit == .code(64) && all.output.isEmpty, "\(none): \(all)")
            }
        }
    }
}

extension Service {
    /// How many readers of events it has.
    fileprivate var readers: Int? {
        get async throws {
            let metrics = try await get("/metrics").text
            return metrics.firstMatch(of: #/(?m)^ledgerd_event_readers (\d+)/#).flatMap { Int($0.1) }
        }
    }

    /// Opens a stream of events.
    fileprivate func stream(_ headers: String = "") async throws -> RawClient {
        let client = try RawClient(port: port)
        try await client.send(
            """
            GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\(headers)\
            Authorization: Bearer \(Token.events())\r\n\r\n
            """)
        return client
    }
}
