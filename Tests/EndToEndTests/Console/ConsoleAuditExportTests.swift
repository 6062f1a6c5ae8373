import Foundation
import TestSupport
import Testing

/// The console's audit as a file: from the page, over the API, and with the command.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleAuditExportTests {
    @Test func `the audit is exported by the page, the API and the command, with the same bytes`() async throws {
        try await ConsoleHouse.open { console in
            #expect(try await console.service.present(try await console.gateway.pay("5000")).status == 201)
            let browser = try await console.browser(as: "support-1")
            try await browser.open("/console/customers/ann/grant")
            let reason = "=HYPERLINK(\"http://x\"),\"y\""
            try await browser.submit("/console/customers/ann/grant", [("coins", "5"), ("reason", reason)])
            let finance = try await console.browser(as: "finance-1")

            let page = try await finance.open("/console/audit")
            #expect(page.text.contains("action=\"/console/audit/export\""))
            let file = try await finance.open("/console/audit/export?format=csv&from=&to=")
            #expect(file.headers["Content-Disposition"] == "attachment; filename=\"audit.csv\"", "\(file)")
            let lines = file.text.components(separatedBy: "\r\n")
            #expect(
                lines.first
                    == "id,acted_at,subject,name,role,act,target,user,reason,seen,approval,outcome,ended_at,detail")
            let grant = try #require(lines.first { $0.contains(",grant,") })
            #expect(grant.contains(",support-1,Suho Park,support,grant,user:ann,ann,\"'=HYPERLINK("), "\(grant)")
            #expect(grant.contains(",done,"), "\(grant)")

            let answer = try await console.service.get("/v1/exports/audit", as: Token.finance())
            #expect(answer.text == file.text)
            let environment = ["LEDGERD_DATABASE_URL": console.house.ledger.serviceURL]
            let command = try console.house.start(["export", "audit"], environment)
            #expect(try await command.exit() == .code(0), "\(command.standardError)")
            #expect(command.standardOutput == file.text)

            let json = try await finance.open("/console/audit/export?format=jsonl").text.split(separator: "\n")
            let records = json.map { JSON(Array($0.utf8)) }
            let record = try #require(records.first { $0["act"] == "grant" })
            #expect(
                record["reason"].text == reason && record["seen"].text?.contains("\"paid\": 500") == true, "\(record)")
            #expect(records.last?["trailer"]["rows"].integer == Int64(records.count - 1))
        }
    }

    @Test func `all that is held about a customer is the same file on the page and over the API`() async throws {
        try await ConsoleHouse.open { console in
            #expect(try await console.service.present(try await console.gateway.pay("5000")).status == 201)
            let browser = try await console.browser(as: "support-1")
            #expect(try await browser.open("/console/customers/ann").text.contains("\"/console/customers/ann/export\""))
            let file = try await browser.open("/console/customers/ann/export")
            #expect(file.headers["Content-Disposition"] == "attachment; filename=\"user.jsonl\"", "\(file)")
            let answer = try await console.service.get("/v1/users/ann/export", as: Token.support())
            let lines = file.text.split(separator: "\n").sorted()
            #expect(lines.count > 5 && lines == answer.text.split(separator: "\n").sorted())
        }
    }

    @Test func `a period is exported, and only people and tokens that may read the audit get it`() async throws {
        try await ConsoleHouse.open { console in
            let finance = try await console.browser(as: "finance-1")
            let old = try await finance.open("/console/audit/export?format=csv&to=2026-01-01")
            #expect(old.text.components(separatedBy: "\r\n").count == 2, "\(old)")
            #expect(try await finance.open("/console/audit/export?format=hledger").status == 400)
            #expect(try await finance.open("/console/audit/export?from=2026-02-01&to=2026-01-01").status == 400)
            for person in ["viewer-1", "support-1"] {
                let browser = try await console.browser(as: person)
                #expect(try await browser.open("/console/audit/export").status == 403, "\(person)")
            }
            for token in [Token.service(), Token.user("ann")] {
                #expect(try await console.service.get("/v1/exports/audit", as: token).status == 403)
            }
            // What is recorded after a moment is not in the export as of it.
            let moment = Date().formatted(.iso8601)
            let before = try await console.service.get("/v1/exports/audit?as_of=\(moment)", as: Token.finance())
            _ = try await console.browser(as: "viewer-1")
            let after = try await console.service.get("/v1/exports/audit?as_of=\(moment)", as: Token.finance())
            #expect(before.text == after.text && before.status == 200)
        }
    }
}
