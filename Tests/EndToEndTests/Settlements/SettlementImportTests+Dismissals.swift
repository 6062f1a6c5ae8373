import TestSupport
import Testing

/// Lines that are not ours, or whose payment comes later.
extension SettlementImportTests {
    @Test func `a line that is not ours is dismissed by request or command, so that the checklist is clear`()
        async throws
    {
        try await House.open { house, _, service in
            let today = seoulDay()
            let imported = try await Self.post(
                service, Self.query, Self.csv("theirs-1,1000,0,0,1000,\(today)", "theirs-2,1000,0,0,1000,\(today)"))
            let id = sure(imported.json["settlement"]["id"].integer)
            func dismiss(_ line: Int, _ body: String, as token: String = Token.finance()) async throws -> Answer {
                try await service.send(
                    .post, "/v1/settlements/\(id)/rows/\(line)/dismissal", as: token,
                    headers: [("Content-Type", "application/json")], body: body)
            }
            let done = try await dismiss(2, #"{"reason": "our other shop's", "kind": "other_goods"}"#)
            #expect(done.status == 200 && done.json["status"] == "dismissed", "\(done)")
            #expect(done.json["reason"] == "our other shop's" && done.json["dismissed_by"] == "a-clerk", "\(done)")
            #expect(done.json["dismissed_at"].text != nil && done.json["payment"] == "theirs-1")
            #expect(try await dismiss(2, #"{"reason": "again"}"#).json == done.json)
            #expect(try await dismiss(9, #"{"reason": "x"}"#).status == 404)
            #expect(try await dismiss(3, "{}").code == "missing_member")
            #expect(try await dismiss(3, #"{"reason": "x", "kind": "gift"}"#).code == "invalid_request")
            #expect(try await dismiss(3, #"{"reason": "x"}"#, as: Token.service()).status == 403)
            #expect(
                try await service.get("/v1/settlements/unmatched", as: Token.finance()).json["rows"].elements
                    .map { $0["line"] } == [3])

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            var run = try await house.run("settlement", "unmatched", with: settings)
            #expect(run.output.contains("theirs-2") && !run.output.contains("theirs-1"), "\(run)")
            run = try await house.run(
                "settlement", "dismiss", "\(id)", "3", "--reason", "theirs", "--by", "kim", with: settings)
            #expect(run.output == "line 3 of settlement \(id) is dismissed: theirs\n", "\(run)")
            #expect(
                try await house.books.texts("SELECT dismissed_by FROM settlement_dismissal ORDER BY row_id")
                    == ["a-clerk", "terminal:kim"])
            run = try await house.run(
                "settlement", "check-dismissal", "\(id)", "3", "--by", "kim", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("somebody else"), "\(run)")
            run = try await house.run(
                "settlement", "check-dismissal", "\(id)", "3", "--by", "lee", with: settings)
            #expect(run.output == "line 3 of settlement \(id): the dismissal is checked\n", "\(run)")
            run = try await house.run("settlement", "dismiss", "\(id)", "4", "--reason", "theirs", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("does not exist"), "\(run)")
            let file = try await service.get("/v1/settlements/\(id)", as: Token.finance())
            #expect(file.json["rows"]["dismissed"] == 2 && file.json["rows"]["unmatched"] == 0, "\(file)")
            let checklist = try await service.get("/v1/periods/checklist?until=2126-01-01", as: Token.finance())
            let lines = checklist.json["items"].elements.first { $0["name"] == "unmatched_settlement_lines" }
            #expect(lines?["open"] == 0, "\(checklist)")
        }
    }

    @Test func `another person checks a dismissal, and a line whose payment came is booked, by request or command`()
        async throws
    {
        try await House.open { house, gateway, service in
            let (today, boss) = (seoulDay(), Token.make(sub: "a-boss", scope: "finance"))
            let late = try await gateway.pay()
            let imported = try await Self.post(
                service, Self.query,
                Self.csv("\(late.impUID),1000,0,0,1000,\(today)", "theirs,1000,0,0,1000,\(today)"))
            let id = sure(imported.json["settlement"]["id"].integer)
            let path = "/v1/settlements/\(id)/rows/3/dismissal"
            func list(_ name: String) async throws -> [JSON] {
                try await service.get("/v1/settlements/\(name)", as: Token.finance()).json["rows"].elements
            }
            let early = try await service.post("\(path)/check", "", as: boss)
            #expect(early.status == 409 && early.code == "settlement_line_status_conflict", "\(early)")
            _ = try await service.send(
                .post, path, as: Token.finance(), headers: [("Content-Type", "application/json")],
                body: #"{"reason": "other goods", "kind": "other_goods"}"#)
            #expect(try await list("unchecked").map { $0["dismissed_as"] } == ["other_goods"])
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            var run = try await house.run("settlement", "unchecked", with: settings)
            #expect(run.output.contains("theirs") && run.output.contains("a-clerk"), "\(run)")
            let own = try await service.post("\(path)/check", "", as: Token.finance())
            #expect(own.status == 403 && own.code == "forbidden", "\(own)")
            let checked = try await service.post("\(path)/check", "", as: boss)
            #expect(checked.status == 200 && checked.json["checked_by"] == "a-boss", "\(checked)")
            #expect(try await service.post("\(path)/check", "", as: boss).json == checked.json)
            #expect(
                try await service.post("/v1/settlements/\(id)/rows/9/dismissal/check", "", as: boss).status == 404)
            for name in ["unchecked", "returned"] { #expect(try await list(name).isEmpty) }

            #expect(try await service.present(late).status == 201)
            #expect(try await list("returned").map { $0["payment"].text } == [late.impUID])
            run = try await house.run("settlement", "returned", "--json", with: settings)
            #expect(JSON(Array(run.output.utf8))["rows"].elements.map { $0["settlement"] } == [.integer(id)], "\(run)")
            #expect(try await service.post("/v1/settlements/match", "", as: Token.service()).status == 403)
            let matched = try await service.post("/v1/settlements/match", "", as: boss)
            #expect(matched.status == 200 && matched.json["booked"] == 1 && matched.json["lines"] == 1, "\(matched)")
            #expect(try await service.post("/v1/settlements/match", "", as: boss).json["lines"] == 0)
            try await house.expectSound()
        }
    }
}
