import Foundation
import TestSupport
import Testing

/// An agent of support or finance looks things up by tools: over HTTP, and through `ledgerd mcp`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MCPServiceTests {
    /// A token for all tools, of a person of the shop.
    private static let kim = Token.make(sub: "kim", scope: "support finance:read")

    private static func call(_ tool: String, _ arguments: String, id: Int = 1) -> String {
        let params = #"{"name": "\#(tool)", "arguments": \#(arguments)}"#
        return #"{"jsonrpc": "2.0", "id": \#(id), "method": "tools/call", "params": \#(params)}"#
    }

    @Test func `each tool answers what the API answers`() async throws {
        try await House.open { house, gateway, service in
            let bought = try await service.present(try await gateway.pay("1000")).purchase
            let id = try #require(bought["id"].integer)
            let payment = try #require(bought["imp_uid"].text)
            #expect(try await service.present(try await gateway.pay("1234")).code == "amount_mismatch")
            let finding = try #require(
                try await service.get("/v1/findings", as: Self.kim).json["findings"].elements.first?["id"].integer)
            let run = try #require(
                try await service.post(
                    "/v1/reconciliations", #"{"from": "2026-01-01", "to": "2026-01-02"}"#, as: Token.finance()
                ).json["id"].integer)
            try await eventually("the run ends") {
                try await service.get("/v1/reconciliations/\(run)", as: Self.kim).json["status"] != "running"
            }
            for (tool, arguments, path) in [
                ("searchCustomers", #"{"name": "\#(payment)"}"#, "/v1/search?name=\(payment)"),
                ("getUserBalance", #"{"user": "ann"}"#, "/v1/users/ann/balance"),
                ("listUserPurchases", #"{"user": "ann", "limit": 1}"#, "/v1/users/ann/purchases?limit=1"),
                ("findPurchases", #"{"imp_uid": "\#(payment)"}"#, "/v1/purchases?imp_uid=\(payment)"),
                ("getPurchase", #"{"id": \#(id)}"#, "/v1/purchases/\(id)"),
                ("listUserStatement", #"{"user": "ann"}"#, "/v1/users/ann/statement"),
                ("listUserTimeline", #"{"user": "ann"}"#, "/v1/users/ann/timeline"),
                ("listUserReceipts", #"{"user": "ann"}"#, "/v1/users/ann/receipts"),
                ("listFindings", #"{"user": "ann", "status": "open"}"#, "/v1/findings?user=ann&status=open"),
                ("getFinding", #"{"id": \#(finding)}"#, "/v1/findings/\(finding)"),
                ("listReconciliations", "{}", "/v1/reconciliations"),
                ("getReconciliation", #"{"id": \#(run)}"#, "/v1/reconciliations/\(run)"),
                (
                    "listReconciliationItems", #"{"id": \#(run), "kind": ["matched", "amount_differs"]}"#,
                    "/v1/reconciliations/\(run)/items?kind=matched,amount_differs"
                ),
                ("getOpenItems", "{}", "/v1/open-items"), ("listPeriods", "{}", "/v1/periods"),
                ("getClosingChecklist", #"{"until": "2026-01-01"}"#, "/v1/periods/checklist?until=2026-01-01"),
            ] {
                let said = try await service.post("/mcp", Self.call(tool, arguments), as: Self.kim)
                let asked = try await service.get(path, as: Self.kim)
                #expect(said.status == 200 && asked.status == 200, "\(tool): \(said) \(asked)")
                #expect(said.json["result"]["structuredContent"] == asked.json, "\(tool): \(said)")
            }
            let books = try await service.post("/mcp", Self.call("examineBooks", #"{"limit": 1}"#), as: Self.kim)
            let found = books.json["result"]["structuredContent"]
            #expect(found["sound"] == .bool(true) && found["checks"].elements.count > 30, "\(books)")
            let request = try #require(books.headers["X-Request-Id"])
            let line = try #require(service.logLine(of: request))
            #expect(line.contains("person=kim") && line.contains("route=/v1/doctor"), "\(line)")
        }
    }

    @Test func `pages go on with their cursor, and what is wrong says so`() async throws {
        try await House.open { house, gateway, service in
            for _ in 0..<3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            var (cursor, seen): (String?, [Int64]) = (nil, [])
            repeat {
                let next = cursor.map { #", "cursor": "\#($0)""# } ?? ""
                let page = try await service.post(
                    "/mcp", Self.call("listUserPurchases", #"{"user": "ann", "limit": 2\#(next)}"#), as: Self.kim
                ).json["result"]["structuredContent"]
                seen += page["purchases"].elements.compactMap { $0["id"].integer }
                cursor = page["next_cursor"].text
            } while cursor != nil && seen.count < 10
            #expect(seen.count == 3 && Set(seen).count == 3, "\(seen)")
            for (tool, arguments, word) in [
                ("listUserPurchases", #"{"user": "ann", "limit": 101}"#, "limit"),
                ("listUserPurchases", #"{"user": "ann", "cursor": "x"}"#, "cursor"),
                ("listUserPurchases", #"{"user": "ann", "limti": 1}"#, "known names: cursor, from, limit"),
                ("getPurchase", #"{"id": 999999}"#, "not_found"), ("getPurchase", #"{"id": "../1"}"#, "not_found"),
                ("getFinding", #"{"id": 999999}"#, "not_found"), ("examineBooks", #"{"limit": 0}"#, "limit"),
            ] {
                let said = try await service.post("/mcp", Self.call(tool, arguments), as: Self.kim)
                let result = said.json["result"]
                #expect(said.status == 200 && result["isError"] == .bool(true), "\(tool) \(arguments): \(said)")
                #expect(result["content"].elements.first?["text"].text?.contains(word) == true, "\(arguments): \(said)")
            }
            try await house.expectSound()
        }
    }

    @Test func `a client that waits for each reply of the command gets it`() async throws {
        try await House.open { house, _, service in
            let token = house.directory.appending(path: "token")
            try Data(Token.support().utf8).write(to: token)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token.path)
            let client = """
                mkfifo in out
                "$0" mcp --token-file token <in >out &
                exec 3>in 4<out
                for id in 1 2 3; do
                    echo '{"jsonrpc": "2.0", "id": '$id', "method": "ping"}' >&3
                    read -r reply <&4
                    echo "$reply"
                done
                exec 3>&-
                wait
                """
            let child = try house.start(
                ["-c", "cd '\(house.directory.path)'\n" + client, House.products.appending(path: "ledgerd").path],
                ["LEDGERD_LISTEN": "127.0.0.1:\(service.port)"], program: "/bin/sh")
            #expect(try await child.exit() == .code(0), "\(child.standardError)")
            let replies = child.standardOutput.split(separator: "\n").map { JSON(Array($0.utf8)) }
            #expect(replies.map { $0["id"] } == [1, 2, 3] && replies.allSatisfy { $0["result"] != nil }, "\(replies)")
        }
    }

    @Test func `the command passes messages on as the token in its file`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let (token, input) = (house.directory.appending(path: "token"), house.directory.appending(path: "input"))
            func run(
                _ lines: [String], as content: String, rights: Int = 0o600
            ) async throws -> (exit: ChildProcess.Exit, String, String) {
                try Data((content + "\n").utf8).write(to: token)
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: token.path)
                try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: input)
                let command = "\"$0\" mcp --token-file '\(token.path)' <'\(input.path)'"
                let child = try house.start(
                    ["-c", command, House.products.appending(path: "ledgerd").path],
                    ["LEDGERD_LISTEN": "127.0.0.1:\(service.port)"], program: "/bin/sh")
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            let lines = [
                #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}"#,
                #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#, "no JSON",
                Self.call("getUserBalance", #"{"user": "ann"}"#, id: 2), Self.call("listFindings", "{}", id: 3),
            ]
            func replies(_ output: String) -> [JSON] {
                output.split(separator: "\n").map { JSON(Array($0.utf8)) }.sorted { "\($0["id"])" < "\($1["id"])" }
            }
            let (exit, output, errors) = try await run(lines, as: Token.support())
            #expect(exit == .code(0) && errors.isEmpty, "\(errors)")
            let said = replies(output)
            try #require(said.map { $0["id"] } == [1, 2, 3, nil], "\(output)")
            #expect(said[0]["result"]["protocolVersion"] == "2025-06-18")
            #expect(said[1]["result"]["structuredContent"]["available"].integer == 100)
            #expect(said[2]["result"]["isError"] == .bool(true), "support may not read findings")
            #expect(said[3]["error"]["code"].integer == -32700)

            let (_, forged, _) = try await run([lines[3]], as: "no-token")
            let refused = replies(forged).first
            #expect(refused?["id"] == 2 && refused?["error"]["code"].integer == -32603, "\(forged)")
            #expect(refused?["error"]["message"].text?.hasSuffix("(HTTP 401)") == true, "\(forged)")
            for (content, rights, reason) in [
                ("", 0o600, "must have one access token"), (Token.support(), 0o644, "everybody on this machine"),
            ] {
                let (none, output, why) = try await run(lines, as: content, rights: rights)
                #expect(none == .code(1) && output.isEmpty && why.contains(reason), "\(why)")
            }
            let odd = ["", "[\(lines[3])]", "7", #"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#]
            let (_, wrong, _) = try await run(odd, as: Token.support())
            #expect(replies(wrong).map { $0["error"]["code"].integer } == [-32600, -32600, -32600], "\(wrong)")
            try await service.end()
            let (_, gone, _) = try await run([lines[3]], as: Token.support())
            #expect(replies(gone).first?["error"]["code"].integer == -32603, "\(gone)")
        }
    }
}
