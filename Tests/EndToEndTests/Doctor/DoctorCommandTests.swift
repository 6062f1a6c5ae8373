import Foundation
import Testing

/// What an operator hears of the doctor, and what a timer's script sees of its end.
@Suite(.timeLimit(.minutes(20))) struct DoctorCommandTests {
    @Test func `sound books are reported in few words, and in JSON check by check`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let sound = try await house.run("doctor", with: settings)
            #expect(sound.exit == .code(0), "\(sound)")
            // The tests' own server does not wait for its disk, and could not repair torn pages.
            let lines = sound.output.split(separator: "\n").filter {
                !$0.hasPrefix("warning: fsync is off") && !$0.hasPrefix("warning: full_page_writes is off")
            }
            #expect(lines.count == 2 && lines[0].hasPrefix("never sealed") && lines[1].hasPrefix("sound: "), "\(lines)")
            #expect(sound.errors.isEmpty)

            let json = JSON(Array(try await house.run("doctor", "--json", with: settings).output.utf8))
            #expect(json["sound"] == .bool(true))
            #expect(json["examined_at"].text?.hasSuffix("Z") == true)
            let checks = json["checks"].elements
            #expect(checks.count > 30)
            #expect(checks.allSatisfy { $0["count"].integer == 0 && $0["code"].text != nil })
        }
    }

    @Test func `what is wrong is named, and the exit says so`() async throws {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            try await house.ledger.execute("UPDATE account SET debits = debits + 1 WHERE code LIKE 'bank/%'")
            let found = try await house.run("doctor", "--limit", "2", with: settings)
            #expect(found.exit == .code(1))
            #expect(found.output.contains("account_totals_differ (4)"), "\(found.output)")
            #expect(found.output.contains("  account:") && found.output.contains("  and 2 more"))
            #expect(found.output.contains("not sound: "))

            let json = JSON(Array(try await house.run("doctor", "--json", with: settings).output.utf8))
            #expect(json["sound"] == .bool(false))
            let wrong = json["checks"].elements.first { $0["code"].text == "account_totals_differ" }
            #expect(wrong?["deviations"].elements.count == 4)
            #expect(wrong?["deviations"].elements.first?["subject"].text?.hasPrefix("account:") == true)
        }
    }

    @Test func `the API finds what the command finds`() async throws {
        try await House.open { house, _, service in
            let sound = try await service.get("/v1/doctor", as: Token.finance())
            #expect(sound.status == 200 && sound.json["sound"] == .bool(true), "\(sound)")
            try await house.ledger.execute("UPDATE account SET debits = debits + 1 WHERE code LIKE 'bank/%'")
            let found = try await service.get("/v1/doctor?limit=2", as: Token.finance())
            #expect(found.status == 200 && found.json["sound"] == .bool(false))
            let wrong = found.json["checks"].elements.first { $0["code"] == "account_totals_differ" }
            #expect(wrong?["count"] == 4 && wrong?["deviations"].elements.count == 2, "\(found)")
            for limit in ["0", "101", "x"] {
                let refused = try await service.get("/v1/doctor?limit=\(limit)", as: Token.finance())
                #expect(refused.status == 400 && refused.json["member"] == "limit", "\(refused)")
            }
        }
    }

    @Test func `a server that may lose what it committed is warned of, and the books are sound all the same`()
        async throws
    {
        try await House.with { house in
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let off = try await house.books.texts(
                """
                SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'
                ORDER BY name
                """)
            try #require(off.contains("fsync"), "./dev test starts its server so")
            let result = try await house.run("doctor", with: settings)
            #expect(result.exit == .code(0), "\(result)")
            for name in ["fsync", "full_page_writes"] {
                #expect(result.output.contains("warning: \(name) is off: ") == off.contains(name), "\(result.output)")
            }
            let json = JSON(Array(try await house.run("doctor", "--json", with: settings).output.utf8))
            #expect(json["sound"] == .bool(true))
            #expect(json["warnings"].elements.map { $0["code"].text } == off.map { $0 + "_off" })
        }
    }

    @Test func `books that can't be examined are neither sound nor not`() async throws {
        try await House.with { house in
            let nowhere = try await house.run(
                "doctor", with: ["LEDGERD_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/x"])
            #expect(nowhere.exit == .code(2) && nowhere.output.isEmpty)
            StartTests.expectOneLine(nowhere.errors, ["database"])
            let unset = try await house.run("doctor")
            #expect(unset.exit == .code(2))
            let limit = try await house.run("doctor", "--limit", "0")
            #expect(limit.exit == .code(64) && limit.errors.contains("1 to 10000"))
        }
    }
}
