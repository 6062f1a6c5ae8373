import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Thresholds of coins over HTTP, and the events when coins cross them.
@Suite(.timeLimit(.minutes(20))) struct BalanceAlertsServiceTests {
    @Test func `a service sets thresholds, and coins that cross them are events`() async throws {
        try await House.open { house, gateway, service in
            func put(_ path: String, _ body: String, as token: String = Token.service()) async throws -> Answer {
                try await service.send(
                    .put, path, as: token, headers: [("Content-Type", "application/json")], body: body)
            }
            let own = "/v1/users/ann/balance-alerts"
            let set = try await put(own, #"{"below": [70, 50], "above": [99, 99]}"#)
            #expect(set.status == 200 && set.json["user"] == "ann", "\(set)")
            #expect(set.json["below"].elements == [50, 70] && set.json["above"].elements == [99], "\(set)")
            #expect(try await service.get(own, as: Token.service()).json == set.json)

            #expect(try await service.present(try await gateway.pay()).status == 201)
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 70}"#, key: "s")
            #expect(spent.status == 201, "\(spent)")
            let types = "balance.rose_above,balance.fell_below"
            var events: [JSON] = []
            try await eventually("the crossings are events") {
                events = try await service.get("/v1/events?types=\(types)", as: Token.events()).json["events"].elements
                return events.count == 3
            }
            #expect(
                events.map { $0["type"].text } == ["balance.rose_above", "balance.fell_below", "balance.fell_below"])
            #expect(events.map { $0["data"]["crossing"]["threshold"] } == [99, 70, 50], "\(events)")
            #expect(
                events.last?["data"]["crossing"]["journal_entry_id"] == spent.json["spend"]["journal_entry_id"],
                "\(events)")
            #expect(events.allSatisfy { $0["user"] == "ann" })

            for body in [#"{"below": [0], "above": []}"#, #"{"below": [1]}"#, "{}", Self.eleven] {
                let refused = try await put(own, body)
                #expect(refused.status == 400, "\(body): \(refused)")
            }
            let reading = Token.make(sub: "r", scope: "service:read")
            let refused = try await put(own, #"{"below": [], "above": []}"#, as: reading)
            #expect(refused.status == 403 && refused.json["required_scope"] == "service:write", "\(refused)")

            #expect(try await service.get("/v1/balance-alerts", as: Token.service()).status == 404)
            #expect(try await put("/v1/balance-alerts", #"{"below": [], "above": [5]}"#).status == 200)
            for path in [own, "/v1/balance-alerts"] {
                for _ in 1...2 {
                    #expect(try await service.send(.delete, path, as: Token.service()).status == 204)
                }
                #expect(try await service.get(path, as: Token.service()).status == 404)
            }
            try await house.expectSound()
        }
    }

    private static let eleven = #"{"below": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "above": []}"#
}
