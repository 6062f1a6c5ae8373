import Foundation
import TestSupport
import Testing

/// Balances and histories over HTTP.
@Suite(.serialized, .timeLimit(.minutes(20))) struct WalletTests {
    @Test func `histories are read page by page`() async throws {
        try await House.open { house, gateway, service in
            for _ in 0..<7 {
                #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            }
            #expect(try await service.present(try await gateway.pay(), by: "bob").status == 201)
            for (path, token) in [("/v1/me", Token.user("ann")), ("/v1/users/ann", Token.service())] {
                let purchases = try await Self.pages("\(path)/purchases?limit=3", "purchases", token, service)
                #expect(purchases.map(\.count) == [3, 3, 1])
                let ids = purchases.joined().map { $0["id"] }
                #expect(Set(ids.map(\.description)).count == 7)
                let times = purchases.joined().compactMap { $0["credited_at"].text }
                #expect(times == times.sorted(by: >))

                // A purchase moves paid and bonus coins: two movements each.
                let entries = try await Self.pages("\(path)/statement?limit=3", "entries", token, service)
                #expect(entries.map(\.count) == [3, 3, 1])
                #expect(entries.joined().map { $0["balance"] } == (1...7).reversed().map { .integer(550 * $0) })
                #expect(entries.joined().allSatisfy { $0["coins"] == 550 && $0["kind"] == "purchase" })
                let movements = entries.joined().map { $0["movements"].elements }
                #expect(movements.allSatisfy { $0.map { $0["account"] } == ["paid", "bonus"] })
                #expect(movements.map { sure($0.first)["balance"] } == (1...7).reversed().map { .integer(500 * $0) })
            }
            let all = try await service.get("/v1/me/purchases?limit=100", as: Token.user("ann"))
            #expect(all.json["purchases"].elements.count == 7)
            #expect(all.json["has_more"] == false && all.headers["Link"] == nil)
            let exact = try await service.get("/v1/me/purchases?limit=7", as: Token.user("ann"))
            #expect(exact.json["has_more"] == false, "a full last page has no next")
            let none = try await service.get("/v1/me/statement", as: Token.user("nobody"))
            #expect(none.json["entries"] == .array([]) && none.json["has_more"] == false)
        }
    }

    @Test func `an impossible page is refused`() async throws {
        try await House.open { _, gateway, service in
            for _ in 0..<2 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            let token = Token.user("ann")
            let page = try await service.get("/v1/me/purchases?limit=1", as: token)
            let cursor = sure(page.json["next_cursor"].text)
            for query in [
                "limit=0", "limit=101", "limit=-1", "limit=ten", "limit=", "cursor=nonsense", "cursor=",
                "cursor=\(cursor)A", "cursor=" + String(repeating: "A", count: 600),
            ] {
                let answer = try await service.get("/v1/me/purchases?\(query)", as: token)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(query): \(answer)")
                #expect(answer.isProblem)
                #expect(answer.json["member"].text == String(query.prefix { $0 != "=" }), "\(query): \(answer)")
            }
            let other = try await service.get("/v1/me/statement?cursor=\(cursor)", as: token)
            #expect(other.status == 400, "the cursor of another list: \(other)")
            // A cursor shows a place, not a right.
            let bobs = try await service.get("/v1/me/purchases?cursor=\(cursor)", as: Token.user("bob"))
            #expect(bobs.status == 200 && bobs.json["purchases"] == .array([]))
        }
    }

    @Test func `a balance of the past is reported`() async throws {
        try await House.open { _, gateway, service in
            let token = Token.user("ann")
            let first = try await service.present(try await gateway.pay())
            let moment = try await emptyMillisecond().formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)

            func total(at moment: String) async throws -> JSON {
                let answer = try await service.get("/v1/me/balance?at=\(moment)", as: token)
                #expect(answer.status == 200, "\(moment): \(answer)")
                return answer.json["total"]
            }
            #expect(try await total(at: moment) == 100)
            #expect(try await total(at: "2020-01-01T00:00:00Z") == 0)
            #expect(try await total(at: "2099-01-01T00:00:00Z") == 650)
            #expect(try await total(at: "2099-01-01T00:00:00%2B09:00") == 650)
            let own = sure(first.purchase["credited_at"].text)
            #expect(try await total(at: own) == 100, "its own moment counts: \(own)")
            #expect(try await service.coins() == 650)
            for wrong in ["yesterday", "2026-01-31", "1700000000", ""] {
                let answer = try await service.get("/v1/me/balance?at=\(wrong)", as: token)
                #expect(answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(answer)")
                #expect(answer.json["member"] == "at")
            }
        }
    }

    @Test func `many balances are requested at once`() async throws {
        try await House.open { _, gateway, service in
            #expect(try await service.present(try await gateway.pay(), by: "ann").status == 201)
            #expect(try await service.present(try await gateway.pay("5000"), by: "bob").status == 201)
            func query(_ users: String, as token: String = Token.service()) async throws -> Answer {
                try await service.post("/v1/balances/query", #"{"users": \#(users)}"#, as: token)
            }
            let answer = try await query(#"["bob", "nobody", "ann", "bob"]"#)
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.json["balances"].elements.map { $0["user"] } == ["bob", "nobody", "ann", "bob"])
            #expect(answer.json["balances"].elements.map { $0["total"] } == [550, 0, 100, 550])
            #expect(answer.json["balances"].elements.map { $0["bonus"] } == [50, 0, 0, 50])

            let most = (1...500).map { "\"user-\($0)\"" }.joined(separator: ",")
            #expect(try await query("[\(most)]").json["balances"].elements.count == 500)
            let refused: [(users: String, code: String, pointer: String)] = [
                ("[]", "invalid_request", "/users"), ("[\(most), \"x\"]", "invalid_request", "/users"),
                ("\"ann\"", "wrong_type", "/users"), ("[1]", "wrong_type", "/users/0"),
                ("[\"ann\", \"\"]", "missing_member", "/users/1"),
                ("[\"\(String(repeating: "u", count: 129))\"]", "invalid_request", "/users/0"),
                ("[\"a\\u0000b\"]", "invalid_request", "/users/0"),
            ]
            for (users, code, pointer) in refused {
                let answer = try await query(users)
                #expect(answer.status == 400 && answer.code == code, "\(users.prefix(40)): \(answer)")
                #expect(answer.json["pointer"].text == pointer && answer.isProblem, "\(users.prefix(40)): \(answer)")
            }
            #expect(try await query("[\"ann\"]", as: Token.user("ann")).status == 403)
        }
    }

    @Test func `a user's ID may hold characters that paths may not`() async throws {
        try await House.open { _, gateway, service in
            let names = [
                "a b", "유저-1", "team/ann", "100%", "a+b", "a?b#c", "ann@example.com", "😀", "a%2Fb", "wallet:x:paid",
            ]
            for name in names {
                #expect(try await service.present(try await gateway.pay(), by: name).status == 201, "\(name)")
                // Every byte percent-encoded, as the strictest client would.
                let path = name.utf8.map { byte in (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }.joined()
                let balance = try await service.get("/v1/users/\(path)/balance", as: Token.service())
                #expect(balance.status == 200 && balance.json["user"].text == name, "\(name): \(balance)")
                #expect(balance.json["total"] == 100, "\(name): \(balance)")
                let purchases = try await service.get("/v1/users/\(path)/purchases", as: Token.service())
                #expect(purchases.json["purchases"].elements.count == 1, "\(name)")
                #expect(try await service.coins(of: name) == 100)
            }
            for wrong in ["%", "%00", "a%0Ab", "%FF", String(repeating: "u", count: 129)] {
                let answer = try await service.get("/v1/users/\(wrong)/balance", as: Token.service())
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(wrong): \(answer)")
                #expect(answer.isProblem)
            }
        }
    }

    /// Follows the links from page to page, and expects header and body to agree.
    private static func pages(
        _ path: String, _ name: String, _ token: String, _ service: Service
    ) async throws -> [[JSON]] {
        var pages: [[JSON]] = []
        var next: String? = path
        while let path = next, pages.count < 20 {
            let answer = try await service.get(path, as: token)
            #expect(answer.status == 200, "\(answer)")
            pages.append(answer.json[name].elements)
            let link = answer.headers["Link"]
            next = link.flatMap { $0.firstMatch(of: /<(.*)>; rel="next"/) }.map { String($0.1) }
            #expect(answer.json["has_more"] == .bool(next != nil))
            if let next {
                #expect(next.contains("cursor=\(answer.json["next_cursor"].text ?? "none")"))
                #expect(next.hasPrefix(String(path.prefix { $0 != "?" }) + "?limit="))
            } else {
                #expect(answer.json["next_cursor"] == nil)
            }
        }
        return pages
    }
}
