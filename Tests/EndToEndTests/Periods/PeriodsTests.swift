import Foundation
import Testing

/// How finance closes the books.
@Suite(.timeLimit(.minutes(15))) struct PeriodsTests {
    @Test func `finance closes a month over HTTP, once and forward`() async throws {
        try await House.with { house in
            let service = try await house.serve()
            let finance = Token.finance()
            func close(_ until: String, as token: String = finance) async throws -> Answer {
                try await service.post("/v1/periods/close", #"{"until": "\#(until)"}"#, as: token)
            }
            let first = try await close("2026-02-01")
            #expect(first.status == 201)
            #expect(first.json["period"]["until"].text == "2026-01-31T15:00:00.000Z", "a day of Asia/Seoul")
            #expect(first.json["period"]["closed_by"].text == "a-clerk")
            let again = try await close("2026-01-31T15:00:00Z")
            #expect(again.status == 200 && again.json == first.json)
            let behind = try await close("2026-01-01")
            #expect(behind.status == 409 && behind.json["code"].text == "period_already_closed")
            #expect(behind.json["closed_until"].text == "2026-01-31T15:00:00.000Z")
            let future = try await close("2226-01-01")
            #expect(future.status == 422 && future.json["code"].text == "period_not_over")
            for nonsense in ["2026-02-30", "2026-2-1", "tomorrow", "2026-02-01T00:00:00"] {
                let refused = try await close(nonsense)
                #expect(refused.status == 400 && refused.json["pointer"].text == "/until", "\(nonsense)")
            }
            #expect(try await close("2026-03-01", as: Token.service()).json["code"].text == "forbidden")
            #expect(try await service.get("/v1/periods", as: Token.user("ann")).json["code"].text == "forbidden")
            #expect(try await close("2026-03-01").status == 201)
            let list = try await service.get("/v1/periods?limit=1", as: finance).json
            #expect(list["periods"].elements.map { $0["until"].text } == ["2026-02-28T15:00:00.000Z"])
            #expect(list["has_more"] == .bool(true))
        }
    }

    @Test func `an operator closes a month by command, in any time zone`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let closed = try await house.run(
                "close", "--until", "2026-02-01", "--time-zone", "America/New_York", "--by", "kim", with: settings)
            #expect(closed.exit == .code(0), "\(closed)")
            #expect(closed.output == "closed: everything before 2026-02-01T05:00:00.000Z\n")
            let again = try await house.run("close", "--until", "2026-02-01T05:00:00Z", with: settings)
            #expect(again.exit == .code(0) && again.output.contains("already closed") && again.output.contains("kim"))
            let behind = try await house.run("close", "--until", "2026-02-01", with: settings)
            #expect(behind.exit == .code(1))
            StartTests.expectOneLine(behind.errors, ["2026-02-01T05:00:00.000Z", "already closed"])
            let future = try await house.run("close", "--until", "2226-02-01", with: settings)
            #expect(future.exit == .code(1) && future.errors.contains("not over"))
            let nonsense = try await house.run("close", "--until", "soon", with: settings)
            #expect(nonsense.exit == .code(64) && nonsense.errors.contains("--until must be"))
            let nowhere = try await house.run(
                "close", "--until", "2026-02-01", "--time-zone", "Mars/Olympus", with: settings)
            #expect(nowhere.exit == .code(1))
            StartTests.expectOneLine(nowhere.errors, ["time-zone", "Asia/Seoul"])
        }
    }
}
