import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Rates of foreign currencies over HTTP.
@Suite(.timeLimit(.minutes(20))) struct RatesServiceTests {
    private static let kim = Token.make(sub: "kim", scope: "finance")
    private static let lee = Token.make(sub: "lee", scope: "finance")

    private static func body(_ rate: String, per: Int = 1, source: String = "a bank") -> String {
        #"{"rate": "\#(rate)", "per": \#(per), "source": "\#(source)"}"#
    }

    private static func put(
        _ path: String, _ body: String, as token: String = kim, on service: Service
    ) async throws -> Answer {
        try await service.send(
            .put, "/v1/rates/\(path)", as: token, headers: [("Content-Type", "application/json")], body: body)
    }

    private static func approve(
        _ path: String, _ body: String, as token: String = lee, on service: Service
    ) async throws -> Answer {
        try await service.post("/v1/rates/\(path)/approval", body, as: token)
    }

    @Test func `a first rate and one that is far from the last wait for another person, and others are published`()
        async throws
    {
        try await House.open { house, _, service in
            let waiting = try await Self.put("USD/2026-01-05", Self.body("1387.40"), on: service)
            #expect(waiting.status == 202 && waiting.json["status"] == "waiting", "\(waiting)")
            #expect(waiting.json["version"].integer == nil && waiting.json["set_by"] == "kim", "\(waiting)")
            #expect(try await Self.put("USD/2026-01-05", Self.body("1387.4"), on: service).json == waiting.json)
            #expect(try await service.get("/v1/rates/USD", as: Self.kim).code == "no_rate")
            let listed = try await service.get("/v1/rates/waiting", as: Self.kim)
            #expect(listed.json["rates"].elements == [waiting.json], "\(listed)")

            let named = #"{"rate": "1387.40", "per": 1}"#
            let own = try await Self.approve("USD/2026-01-05", named, as: Self.kim, on: service)
            #expect(own.status == 403 && own.code == "approval_by_proposer", "\(own)")
            let other = try await Self.approve("USD/2026-01-05", #"{"rate": "1387.40", "per": 100}"#, on: service)
            #expect(other.status == 400 && other.json["pointer"] == "/rate", "\(other)")
            #expect(try await Self.approve("USD/2026-01-06", named, on: service).status == 404)
            let first = try await Self.approve("USD/2026-01-05", named, on: service)
            #expect(first.status == 200 && first.json["status"] == "published", "\(first)")
            #expect(first.json["version"] == 1 && first.json["rate"] == "1387.40" && first.json["per"] == 1)
            #expect(first.json["approved_by"] == "lee" && first.json["published_at"].text != nil, "\(first)")
            #expect(try await Self.approve("USD/2026-01-05", named, on: service).json == first.json)
            let again = try await Self.put("USD/2026-01-05", Self.body("1387.40"), on: service)
            #expect(again.status == 200 && again.json == first.json, "\(again)")

            let next = try await Self.put("USD/2026-01-06", Self.body("1456.77"), on: service)
            #expect(next.status == 200 && next.json["approved_by"].text == nil, "\(next)")
            let corrected = try await Self.put("USD/2026-01-06", Self.body("1400"), on: service)
            #expect(corrected.status == 200 && corrected.json["version"] == 2, "\(corrected)")
            #expect(try await Self.put("USD/2026-01-06", Self.body("1456.78"), on: service).status == 202)
            let path = "/v1/rates/USD/2026-01-06/withdrawal"
            let withdrawn = try await service.post(path, "", as: Self.lee)
            #expect(withdrawn.status == 200 && withdrawn.json["withdrawn_by"] == "lee", "\(withdrawn)")
            #expect(try await service.post(path, "", as: Self.kim).json == withdrawn.json)
            #expect(try await service.post("/v1/rates/USD/2026-01-05/withdrawal", "", as: Self.kim).status == 404)

            let all = try await service.get("/v1/rates", as: Self.kim).json["rates"].elements
            #expect(all == [corrected.json, next.json, first.json])
            let some = try await service.get("/v1/rates?currency=USD&from=2026-01-05&to=2026-01-06", as: Self.kim)
            #expect(some.json["rates"].elements == [first.json], "\(some)")
            #expect(try await service.get("/v1/rates/USD", as: Self.kim).json == corrected.json)
            let published = try #require(first.json["published_at"].text)
            #expect(try await service.get("/v1/rates/USD?at=2026-01-05", as: Self.kim).code == "no_rate")
            #expect(try await service.get("/v1/rates/USD?at=2099-01-05", as: Self.kim).json == corrected.json)
            #expect(published > "2026-01-05")
            try await house.expectSound()
        }
    }

    @Test func `what can't be a rate is refused, and nothing is stored`() async throws {
        try await House.open { house, _, service in
            for (path, body, status, code) in [
                ("KRW/2026-01-05", Self.body("1"), 422, "currency_of_books"),
                ("XYZ/2026-01-05", Self.body("1"), 422, "unknown_currency"),
                ("usd/2026-01-05", Self.body("1"), 422, "unknown_currency"),
                ("USD/2026-02-30", Self.body("1"), 400, "invalid_request"),
                ("USD/today", Self.body("1"), 400, "invalid_request"),
                ("USD/\(seoulDay(2))", Self.body("1"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("0"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("-1"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("1,387.40"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("1387.123456789"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("1000000000000"), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("1", per: 10), 400, "invalid_request"),
                ("USD/2026-01-05", Self.body("1", source: ""), 400, "missing_member"),
                ("USD/2026-01-05", #"{"rate": 1387.40, "per": 1, "source": "a bank"}"#, 400, "wrong_type"),
                ("USD/2026-01-05", #"{"rate": "1387.40", "source": "a bank"}"#, 400, "missing_member"),
            ] as [(String, String, Int, String)] {
                let refused = try await Self.put(path, body, on: service)
                #expect(refused.status == status && refused.code == code, "\(path) \(body): \(refused)")
            }
            for path in ["/v1/rates/KRW", "/v1/rates?currency=KRW"] {
                #expect(try await service.get(path, as: Self.kim).code == "currency_of_books", "\(path)")
            }
            for path in ["/v1/rates?from=2026-1-5", "/v1/rates/USD?at=today"] {
                #expect(try await service.get(path, as: Self.kim).code == "invalid_request", "\(path)")
            }
            let reading = Token.make(sub: "r", scope: "finance:read")
            #expect(try await Self.put("USD/2026-01-05", Self.body("1"), as: reading, on: service).status == 403)
            #expect(try await house.books.count("SELECT count(*) FROM rate_proposal") == 0)
            #expect(try await Self.put("USD/\(seoulDay())", Self.body("1"), on: service).status == 202)
            try await house.expectSound()
        }
    }
}
