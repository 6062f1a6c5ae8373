import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// How finance closes the books.
@Suite(.timeLimit(.minutes(20))) struct PeriodsTests {
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
                "close", "--until", "2026-02-01", "--time-zone", "America/New_York", "--by", "kim", "--yes",
                with: settings)
            #expect(closed.exit == .code(0), "\(closed)")
            #expect(closed.output == "closed: everything before 2026-02-01T05:00:00.000Z\n")
            let again = try await house.run("close", "--until", "2026-02-01T05:00:00Z", "-y", with: settings)
            #expect(again.exit == .code(0) && again.output.contains("already closed") && again.output.contains("kim"))
            let behind = try await house.run("close", "--until", "2026-02-01", "--yes", with: settings)
            #expect(behind.exit == .code(1))
            StartTests.expectOneLine(
                String(behind.errors.split(separator: "\n").last ?? ""), ["2026-02-01T05:00:00.000Z", "already closed"])
            let future = try await house.run("close", "--until", "2226-02-01", "--yes", with: settings)
            #expect(future.exit == .code(1) && future.errors.contains("not over"))
            let nonsense = try await house.run("close", "--until", "soon", with: settings)
            #expect(nonsense.exit == .code(64) && nonsense.errors.contains("--until must be"))
            let nowhere = try await house.run(
                "close", "--until", "2026-02-01", "--time-zone", "Mars/Olympus", with: settings)
            #expect(nowhere.exit == .code(1))
            StartTests.expectOneLine(nowhere.errors, ["time-zone", "Asia/Seoul"])
        }
    }

    @Test func `a closing shows what is open, and asks`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1234")
            #expect(try await service.present(payment).code == "amount_mismatch")
            let checklist = try await service.get(
                "/v1/periods/checklist?until=\(seoulDay(1))&unsettled_days=0", as: Token.finance())
            #expect(checklist.status == 200 && checklist.json["clear"] == .bool(false), "\(checklist)")
            let open = checklist.json["items"].elements.first { $0["name"] == "open_findings" }
            #expect(open?["open"] == 1 && open?["examples"].elements == ["1"] && open?["oldest_at"].text != nil)
            for query in ["", "?until=soon", "?until=2026-01-01&unsettled_days=-1", "?until=2026-01-01&x=1"] {
                #expect(try await service.get("/v1/periods/checklist\(query)", as: Token.finance()).status == 400)
            }
            #expect(
                try await service.get("/v1/periods/checklist?until=2026-01-01", as: Token.service()).status == 403)

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let shown = try await house.run("close", "--until", seoulDay(1), "--dry-run", "--json", with: settings)
            #expect(shown.exit == .code(0) && shown.output.contains(#""name":"open_findings""#), "\(shown)")
            let table = try await house.run("close", "--until", "2026-01-01", "--dry-run", with: settings)
            #expect(table.exit == .code(0) && table.output.contains("pending refunds"), "\(table)")
            let unasked = try await house.run("close", "--until", "2026-01-01", with: settings)
            #expect(unasked.exit == .code(1) && unasked.errors.contains("--yes"), "\(unasked)")
            #expect(unasked.output.isEmpty && unasked.errors.contains("open findings"), "\(unasked)")
            let until = ["--until", "2026-01-01"]
            for wrong in [
                until + ["--json"], until + ["--yes", "--dry-run"], until + ["--unsettled-days", "-1"],
                until + ["--yes", "--untill", "2025-01-01"], until + ["--yes", "2025-01-01"],
                until + ["--yes", "--dry-rum"], ["--yes"], ["--yes", "--until"], ["--yes", "--until", ""],
                ["--yes", "--until", "NaN"],
            ] {
                let refused = try house.start(["close"] + wrong, settings)
                #expect(try await refused.exit() == .code(64), "\(wrong): \(refused.standardError)")
            }
            #expect(try await service.get("/v1/periods", as: Token.finance()).json["periods"].elements.isEmpty)

            #expect(try await Self.close(house, answering: "n", settings).contains("not closed"))
            #expect(try await service.get("/v1/periods", as: Token.finance()).json["periods"].elements.isEmpty)
            let agreed = try await Self.close(house, answering: "y", settings)
            #expect(agreed.contains("permanently? [y/N]") && agreed.contains("closed: everything before"), "\(agreed)")
            #expect(try await service.get("/v1/periods", as: Token.finance()).json["periods"].elements.count == 1)
        }
    }

    /// What the command says on a terminal on which a person answers.
    private static func close(
        _ house: House, answering answer: String, _ settings: [String: String]
    ) async throws -> String {
        // script(1) gives the command a terminal.
        let command = "\(House.products.appending(path: "ledgerd").path) close --until 2026-01-01 --by kim"
        let child = try ChildProcess(
            "/bin/sh", ["-c", "echo \(answer) | script --quiet --return --command '\(command)' /dev/null"],
            environment: settings.merging(["PATH": "/usr/bin:/bin"]) { $1 }, in: house.directory)
        _ = try await child.exit()
        return child.standardOutput + child.standardError
    }
}
