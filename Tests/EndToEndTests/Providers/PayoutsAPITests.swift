import Foundation
import TestSupport
import Testing

/// Providers' terms, statements and payouts over HTTP and by command.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PayoutsAPITests {
    private static let clerk = Token.finance()
    private static let boss = Token.make(sub: "a-boss", scope: "finance")

    @Test func `a provider gets terms, earns won and is paid, each step once`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            #expect(try await service.get("/v1/providers/designer-3", as: Self.clerk).status == 404)
            let terms = #"{"share_basis_points": 8000, "role": "agent", "withholding": "business_income"}"#
            let set = try await Self.setTerms(terms, on: service)
            #expect(set.status == 200 && set.json["payable"] == 0, "\(set)")
            #expect(try await Self.setTerms(terms, on: service).json == set.json)

            let captured = try await Self.capture(90, "c1", on: service)
            #expect(captured.json["capture"]["amount"] == 400, "\(captured)")
            let owed = try await service.get("/v1/providers/designer-3", as: Self.clerk)
            #expect(owed.json["payable"] == 320 && owed.json["terms"]["set_by"] == "a-clerk", "\(owed)")

            let proposed = try await service.post("/v1/payouts", #"{"note": "November"}"#, key: "p", as: Self.clerk)
            #expect(proposed.status == 201 && proposed.json["status"] == "proposed", "\(proposed)")
            // 3 % of 320 is 9.6, which is no 10 won.
            #expect(proposed.json["amount"] == 320 && proposed.json["withheld"] == 0 && proposed.json["net"] == 320)
            let path = sure(proposed.headers["Location"])
            let again = try await service.post("/v1/payouts", #"{"note": "November"}"#, key: "p", as: Self.clerk)
            #expect(again.json == proposed.json && again.headers["Idempotent-Replayed"] == "true")
            let other = try await service.post("/v1/payouts", "{}", key: "p", as: Self.clerk)
            #expect(other.status == 422 && other.code == "idempotency_key_reused")
            let nothing = try await service.post("/v1/payouts", "{}", key: "p2", as: Self.clerk)
            #expect(nothing.status == 422 && nothing.code == "nothing_owed")

            let own = try await service.post("\(path)/approval", "", as: Self.clerk)
            #expect(own.status == 403 && own.code == "approval_by_proposer", "\(own)")
            let payment = #"{"paid_at": "\#(Date().formatted(.iso8601))", "bank_reference": "bulk transfer 7"}"#
            let early = try await service.post("\(path)/payment", payment, key: "k0", as: Self.clerk)
            #expect(early.status == 409 && early.json["payout_status"] == "proposed", "\(early)")
            let hasty = try await service.get("\(path)/file", as: Self.clerk)
            #expect(hasty.status == 409 && hasty.code == "payout_status_conflict", "nobody pays what was not approved")
            let approved = try await service.post("\(path)/approval", "", as: Self.boss)
            #expect(approved.status == 200 && approved.json["approval"]["by"] == "a-boss", "\(approved)")

            let file = try await service.get("\(path)/file", as: Self.clerk)
            #expect(file.headers["Content-Type"] == "text/csv; charset=utf-8")
            #expect(file.text.hasSuffix(",designer-3,320,0,0,320\r\n"), "\(file.text)")
            let excel = try await service.get("\(path)/file?for=excel", as: Self.clerk)
            #expect(excel.text.hasPrefix("\u{FEFF}payout_id,"), "\(excel)")
            #expect(try await service.get("\(path)/file?bom=true", as: Self.clerk).text.hasPrefix("\u{FEFF}"))
            #expect(
                !(try await service.get("\(path)/file?for=excel&bom=false", as: Self.clerk).text.hasPrefix("\u{FEFF}")))
            for (query, member) in [
                ("encoding=cp949", "encoding"), ("for=word", "for"), ("bom=1", "bom"), ("x=1", "x"),
            ] {
                let refused = try await service.get("\(path)/file?\(query)", as: Self.clerk)
                #expect(refused.status == 400 && refused.json["member"].text == member, "\(refused)")
            }
            let withAccounts = try await Self.file(
                path, "provider,bank,account,holder\ndesigner-3,신한,0012,홍길동", on: service)
            #expect(
                withAccounts.status == 200 && withAccounts.headers["Cache-Control"] == "no-store", "\(withAccounts)")
            #expect(withAccounts.text.hasSuffix(",designer-3,320,0,0,320,신한,0012,홍길동\r\n"), "\(withAccounts.text)")
            let list = "provider,bank,account,holder\ndesigner-3,신한,110-12,홍길동"
            let kb = try await Self.file(path, list, query: "?layout=kb", on: service)
            #expect(
                kb.status == 200 && kb.text.contains("신한,11012,320,홍길동,")
                    && kb.headers["Content-Disposition"]?.contains("-kb.csv") == true, "\(kb)")
            for query in ["?layout=hana", "?layout=kb&for=excel", "?layout=kb&bom=true"] {
                let refused = try await Self.file(path, list, query: query, on: service)
                #expect(refused.status == 400 && refused.json["member"] == "layout", "\(refused)")
            }
            let lacking = try await Self.file(path, "provider,bank,account,holder\nother,a,b,c", on: service)
            #expect(lacking.status == 400 && lacking.json["providers"].elements == ["designer-3"], "\(lacking)")
            let spoilt = try await Self.file(path, "provider,bank,account,holder\ndesigner-3,a,,secret", on: service)
            #expect(
                spoilt.status == 400
                    && spoilt.json["detail"]
                        == "line 2: account must have 1 to 100 characters, without control characters"
            )
            #expect(try await Self.file(path, "{}", type: "application/json", on: service).status == 415)
            let reader = Token.make(sub: "a-reader", scope: "finance:read")
            #expect(try await Self.file(path, "", as: reader, on: service).status == 403)
            let items = try await service.get("\(path)/items", as: Self.clerk)
            #expect(items.json["items"].elements.map { $0["net"] } == [320])
            let shares = try await service.get("\(path)/shares?provider=designer-3", as: Self.clerk)
            #expect(
                shares.json["shares"].elements.map { $0["capture_id"] }
                    == [captured.json["capture"]["journal_entry_id"]])

            let paid = try await service.post("\(path)/payment", payment, key: "k", as: Self.clerk)
            #expect(paid.status == 200 && paid.json["payment"]["bank_reference"] == "bulk transfer 7", "\(paid)")
            let repeated = try await service.post("\(path)/payment", payment, key: "k", as: Self.clerk)
            #expect(repeated.json == paid.json && repeated.headers["Idempotent-Replayed"] == "true")
            let twice = try await service.post("\(path)/payment", payment, key: "k2", as: Self.clerk)
            #expect(twice.status == 409 && twice.code == "payout_status_conflict")
            let late = try await service.post("\(path)/withdrawal", "", as: Self.clerk)
            #expect(late.status == 409 && late.json["payout_status"] == "paid")
            let lines = try await service.get("/v1/providers/designer-3/statement", as: Self.clerk)
            #expect(lines.json["lines"].elements.map { $0["change"] } == [-320, 320], "\(lines)")
            #expect(lines.json["lines"].elements.map { $0["payable"] } == [0, 320])
            try await house.expectSound()
        }
    }

    @Test func `an account is kept as two people agreed, by request and command, and shown to nobody`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let path = "/v1/providers/designer-3"
            func propose(_ body: String) async throws -> Answer {
                try await service.send(
                    .put, "\(path)/account", as: Self.clerk, headers: [("Content-Type", "application/json")],
                    body: body)
            }
            let body = #"{"bank": "신한", "number": "110-12-3456", "holder": "홍길동"}"#
            #expect(try await propose(body).status == 404)
            _ = try await Self.setTerms(#"{"share_basis_points": 8000, "role": "agent"}"#, on: service)
            for (wrong, pointer) in [
                (#"{"bank": "신한", "holder": "x"}"#, "/number"),
                (#"{"bank": "신한", "number": "\#(String(repeating: "1", count: 101))", "holder": "x"}"#, "/number"),
            ] {
                let refused = try await propose(wrong)
                #expect(refused.status == 400 && refused.json["pointer"].text == pointer, "\(refused)")
            }
            let proposed = try await propose(body)
            #expect(proposed.status == 202 && proposed.json["status"] == "proposed", "\(proposed)")
            #expect(proposed.json["number_end"] == "3456" && !proposed.text.contains("110-12"), "\(proposed)")
            #expect(try await propose(body).json == proposed.json)
            let id = sure(proposed.json["id"].integer)
            func approve(_ number: String, as token: String = Self.boss) async throws -> Answer {
                try await service.post("\(path)/accounts/\(id)/approval", #"{"number": "\#(number)"}"#, as: token)
            }
            #expect(try await approve("110123456", as: Self.clerk).code == "approval_by_proposer")
            let other = try await approve("110123457")
            #expect(other.status == 400 && other.json["pointer"] == "/number", "\(other)")
            #expect(try await approve("110123456").json["status"] == "approved")
            #expect(try await propose(body).status == 200)

            #expect(try await Self.capture(90, "c", on: service).status == 200)
            let payout = sure(
                try await service.post("/v1/payouts", "{}", key: "p", as: Self.clerk).headers["Location"])
            #expect(try await service.post("\(payout)/approval", "", as: Self.boss).status == 200)
            let file = try await service.send(.post, "\(payout)/file?layout=kb", as: Self.clerk)
            #expect(file.text.contains("신한,110123456,320,홍길동,"), "\(file)")
            #expect(file.headers["Cache-Control"] == "no-store")
            let differs = try await Self.file(
                payout, "provider,bank,account,holder\ndesigner-3,신한,0012,홍길동", on: service)
            #expect(differs.status == 400 && differs.json["providers"].elements == ["designer-3"], "\(differs)")

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            var run = try await house.run("payouts", "file", "1", "--kept", "--layout", "kb", with: settings)
            #expect(run.output.contains("신한,110123456,320,홍길동,"), "\(run)")
            let list = house.directory.appending(path: "accounts.csv")
            try Data("provider,bank,account,holder\ndesigner-3,KB,00129876,Kim\n".utf8).write(to: list)
            func accounts(
                _ act: String, _ person: String
            ) async throws
                -> (exit: ChildProcess.Exit, output: String, errors: String)
            {
                try await house.run(
                    "providers", "accounts", act, "--accounts", list.path, "--by", person, with: settings)
            }
            run = try await accounts("propose", "kim")
            #expect(run.output.contains("designer-3: account \(id + 1) waits"), "\(run)")
            run = try await accounts("approve", "kim")
            #expect(run.exit == .code(1) && run.errors.contains("another person"), "\(run)")
            try Data("provider,bank,account,holder\ndesigner-3,KB,00129876,Lee\n".utf8).write(to: list)
            run = try await accounts("approve", "lee")
            #expect(run.exit == .code(1) && run.errors.contains("holder is not the holder"), "\(run)")
            try Data("provider,bank,account,holder\ndesigner-3,KB,0012-9876,Kim\n".utf8).write(to: list)
            run = try await accounts("approve", "lee")
            #expect(run.output == "designer-3: account \(id + 1) is in force\n", "\(run)")
            run = try await house.run("providers", "accounts", "list", "designer-3", with: settings)
            #expect(run.output.contains("…9876") && !run.output.contains("00129876"), "\(run)")
            let kept = try await service.get("\(path)/accounts", as: Self.clerk).json["accounts"].elements
            #expect(kept.map { $0["status"] } == ["approved", "erased"] && sure(kept.last)["holder"] == nil, "\(kept)")
            #expect(try await service.send(.delete, "\(path)/account", as: Self.clerk).status == 204)
            #expect(
                try await house.books.count("SELECT count(*) FROM provider_account WHERE account IS NOT NULL") == 0)
            let alone = try await Self.file(
                payout, "provider,bank,account,holder\ndesigner-3,KB,0012-9876,Kim", on: service)
            #expect(alone.status == 400 && alone.json["providers"].elements == ["designer-3"], "\(alone)")
            let own = try await service.send(
                .put, "\(path)/account", as: Token.make(sub: "Lee", scope: "finance"),
                headers: [("Content-Type", "application/json")], body: body)
            #expect(own.status == 202, "\(own)")
            try Data("provider,bank,account,holder\ndesigner-3,신한,110123456,홍길동\n".utf8).write(to: list)
            run = try await accounts("approve", "lee")
            #expect(run.exit == .code(1) && run.errors.contains("another person"), "\(run)")
            #expect(!service.log.contains("110-12-3456") && !service.log.contains("홍길동"))
        }
    }

    @Test func `wrong terms and payouts are refused with the member that is wrong`() async throws {
        try await House.open { _, _, service in
            for (body, pointer) in [
                (#"{"share_basis_points": 10001, "role": "agent"}"#, "/share_basis_points"),
                (#"{"share_basis_points": -1, "role": "agent"}"#, "/share_basis_points"),
                (#"{"share_basis_points": 1, "role": "owner"}"#, "/role"),
                (#"{"share_basis_points": 1, "role": "agent", "withholding": "all"}"#, "/withholding"),
            ] {
                let refused = try await Self.setTerms(body, on: service)
                #expect(refused.status == 400 && refused.json["pointer"].text == pointer, "\(refused)")
            }
            for (body, pointer) in [
                (#"{"cut_off": "soon"}"#, "/cut_off"), (#"{"cut_off": "2226-01-01"}"#, "/cut_off"),
                (#"{"providers": []}"#, "/providers"),
            ] {
                let refused = try await service.post("/v1/payouts", body, key: "k", as: Self.clerk)
                #expect(refused.status == 400 && refused.json["pointer"].text == pointer, "\(refused)")
            }
            #expect(try await service.get("/v1/payouts/7", as: Self.clerk).status == 404)
            #expect(try await service.get("/v1/payouts", as: Token.service()).status == 403)
        }
    }

    @Test func `a service that is killed while it pays has booked the payout whole or not at all`() async throws {
        try await House.openProcess { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            _ = try await Self.setTerms(#"{"share_basis_points": 5000, "role": "principal"}"#, on: service)
            var running = service
            for round in 0..<6 {
                #expect(try await Self.capture(60, "c\(round)", on: running).status == 200)
                let proposed = try await running.post("/v1/payouts", "{}", key: "p\(round)", as: Self.clerk)
                let path = sure(proposed.headers["Location"])
                #expect(try await running.post("\(path)/approval", "", as: Self.boss).status == 200)
                let body = #"{"paid_at": "\#(Date().formatted(.iso8601))", "bank_reference": "run \#(round)"}"#
                let victim = running
                async let answer = try? victim.post("\(path)/payment", body, key: "k\(round)", as: Self.clerk)
                // Ever later in its work.
                for _ in 0..<round { _ = try await victim.get("/v1/payouts", as: Self.clerk) }
                try await house.kill(victim.process)
                _ = await answer
                try await house.expectSound()
                running = try await house.serveProcess(at: gateway)
                let paid = try await running.post("\(path)/payment", body, key: "k\(round)", as: Self.clerk)
                #expect(paid.status == 200 && paid.json["status"] == "paid", "\(paid)")
            }
            #expect(try await running.get("/v1/providers/designer-3", as: Self.clerk).json["payable"] == 0)
            #expect(
                try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'payout'") == 6)
            try await house.expectSound()
        }
    }

    /// The file for the bank, with these accounts.
    private static func file(
        _ path: String, _ accounts: String, query: String = "", type: String = "text/csv",
        as token: String = clerk, on service: Service
    ) async throws -> Answer {
        try await service.send(
            .post, "\(path)/file\(query)", as: token, headers: [("Content-Type", type)], body: accounts)
    }

    private static func setTerms(_ body: String, on service: Service) async throws -> Answer {
        try await service.send(
            .put, "/v1/providers/designer-3", as: clerk, headers: [("Content-Type", "application/json")], body: body)
    }

    /// Captures coins of ann for the designer.
    static func capture(_ coins: Int, _ key: String, on service: Service) async throws -> Answer {
        let placed = try await service.post("/v1/users/ann/holds", #"{"coins": \#(coins)}"#, key: "hold \(key)")
        let hold = sure(placed.json["hold"]["id"].integer)
        return try await service.post("/v1/holds/\(hold)/capture", #"{"provider": "designer-3"}"#, key: key)
    }
}
