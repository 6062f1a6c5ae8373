import Foundation
import TestSupport
import Testing

/// What a request may say, and what may not be read out of it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DoorsTests {
    private static let actor = Token.service()

    @Test func `a misspelt or repeated member moves nothing`() async throws {
        try await House.open { house, gateway, service in
            let bought = try await service.present(try await gateway.pay())
            let purchase = sure(bought.json["purchase"]["id"].integer)
            let hold = try await service.post(
                "/v1/users/ann/holds", #"{"coins":20}"#, key: "hold", as: Self.actor)
            let id = sure(hold.json["hold"]["id"].integer)
            let before = try await service.get("/v1/me/balance", as: Token.user("ann")).json
            for (path, body, code, pointer) in [
                ("/v1/purchases/\(purchase)/refunds", #"{"coin":10,"reason":"r"}"#, "unknown_member", "/coin"),
                ("/v1/holds/\(id)/capture", #"{"coin":1,"provder":"x"}"#, "unknown_member", "/coin"),
                ("/v1/holds/\(id)/void", #"{"resaon":"x"}"#, "unknown_member", "/resaon"),
                (
                    "/v1/users/ann/grants", #"{"coins":1,"reason":"r","expire_at":"2030-01-01T00:00:00Z"}"#,
                    "unknown_member", "/expire_at"
                ),
                ("/v1/users/ann/spends", #"{"coins":1,"coins":7}"#, "repeated_member", "/coins"),
                ("/v1/users/ann/spends", #"{"coins":1,}"#, "malformed_json", nil),
                ("/v1/users/ann/spends", "\u{FEFF}{\"coins\":1}", "malformed_json", nil),
                ("/v1/users/ann/spends", #"{"coins":01}"#, "malformed_json", nil),
            ] as [(String, String, String, String?)] {
                let answer = try await service.post(path, body, key: UUID().uuidString, as: Self.actor)
                #expect(answer.status == 400 && answer.code == code, "\(body): \(answer)")
                #expect(answer.json["pointer"].text == pointer, "\(body): \(answer)")
            }
            #expect(try await service.get("/v1/me/balance", as: Token.user("ann")).json == before)
            try await house.expectSound()
        }
    }

    @Test func `an unknown parameter is refused`() async throws {
        try await House.open { _, _, service in
            let finance = Token.finance()
            for (path, token) in [
                ("/v1/me/purchases", Token.user("ann")), ("/v1/me/statement", Token.user("ann")),
                ("/v1/me/lots", Token.user("ann")), ("/v1/me/holds", Token.user("ann")),
                ("/v1/me/balance", Token.user("ann")), ("/v1/orders", Token.user("ann")),
                ("/v1/lots/expiring", Self.actor), ("/v1/findings", finance), ("/v1/periods", finance),
                ("/v1/seals", finance), ("/v1/settlements", finance), ("/v1/settlements/outstanding", finance),
                ("/v1/reconciliations", finance), ("/v1/exports/journal", finance),
            ] {
                let unknown = try await service.get(path + "?fro=2026-01-01", as: token)
                #expect(unknown.status == 400 && unknown.json["member"].text == "fro", "\(path): \(unknown)")
                let twice = try await service.get(path + "?limit=1&limit=2", as: token)
                #expect(twice.status == 400 && twice.json["member"].text == "limit", "\(path): \(twice)")
            }
        }
    }

    @Test func `a filtered list holds what is asked for`() async throws {
        try await House.open { _, gateway, service in
            for _ in 0..<3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            let token = Token.user("ann")
            func count(_ path: String, _ name: String) async throws -> Int {
                let answer = try await service.get("/v1/me/" + path, as: token)
                #expect(answer.status == 200, "\(path): \(answer)")
                return answer.json[name].elements.count
            }
            #expect(try await count("purchases?status=credited&limit=100", "purchases") == 3)
            #expect(try await count("purchases?status=refunded", "purchases") == 0)
            #expect(try await count("purchases?from=2020-01-01&to=2100-01-01", "purchases") == 3)
            #expect(try await count("purchases?to=2020-01-01", "purchases") == 0)
            #expect(try await count("purchases?from=2100-01-01T00:00:00Z", "purchases") == 0)
            #expect(try await count("statement?kind=purchase", "entries") == 3)
            #expect(try await count("statement?kind=spend", "entries") == 0)
            #expect(try await count("statement?to=2020-01-01", "entries") == 0)
            #expect(try await count("lots?kind=paid", "lots") == 3)
            #expect(try await count("holds?status=open", "holds") == 0)
            for query in ["status=paid", "from=yesterday", "from=2026-02-01&to=2026-01-01", "status="] {
                let answer = try await service.get("/v1/me/purchases?\(query)", as: token)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(query): \(answer)")
            }
            let first = try await service.get("/v1/me/purchases?status=credited&limit=1", as: token)
            let cursor = sure(first.json["next_cursor"].text)
            #expect(try await count("purchases?status=credited&limit=2&cursor=\(cursor)", "purchases") == 2)
            let other = try await service.get("/v1/me/purchases?status=refunded&cursor=\(cursor)", as: token)
            #expect(other.status == 400 && other.json["member"].text == "cursor")
        }
    }

    @Test func `a user's ID follows the same rule on every route`() async throws {
        try await House.open { house, _, service in
            let hangul = String(repeating: "가", count: 60)
            for user in ["bom", "\u{FEFF}bom", hangul, "e\u{301}", "\u{E9}", "a+b", "a b", "한/글", "100%"] {
                let encoded = sure(user.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let granted = try await service.post(
                    "/v1/users/\(encoded)/grants", #"{"coins":5,"reason":"r"}"#, key: "grant-\(encoded.suffix(100))",
                    as: Self.actor)
                #expect(granted.status == 201, "\(encoded): \(granted)")
                let own = try await service.get("/v1/me/balance", as: Token.user(user))
                #expect(own.json["total"].integer == 5, "\(encoded): \(own)")
                #expect(own.json["user"].text.map { Array($0.utf8) } == Array(user.utf8), "\(encoded): \(own)")
                let body = String(decoding: try JSONEncoder().encode(["users": [user]]), as: UTF8.self)
                let asked = try await service.post("/v1/balances/query", body, as: Self.actor)
                #expect(asked.json["balances"].elements.first?["total"].integer == 5, "\(encoded): \(asked)")
            }
            for user in ["%EF%BB", "%zz", "%0A", String(repeating: "a", count: 129)] {
                let answer = try await service.get("/v1/users/\(user)/balance", as: Self.actor)
                #expect(answer.status == 400 && answer.json["member"].text == "user", "\(user): \(answer)")
            }
            try await house.expectSound()
        }
    }

    @Test func `responses to a token may not be cached`() async throws {
        try await House.open { _, _, service in
            for (path, token) in [
                ("/v1/me/balance", Token.user("ann")), ("/v1/me/statement", Token.user("ann")),
                ("/v1/orders", Token.user("ann")), ("/v1/users/ann/balance", Self.actor),
                ("/v1/findings", Token.finance()), ("/v1/settlements", Token.finance()),
            ] {
                let answer = try await service.get(path, as: token)
                #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store", "\(path): \(answer)")
                // Who has it already gets 304, and not the body again.
                let tag = sure(answer.headers["ETag"])
                let again = try await service.send(.get, path, as: token, headers: [("If-None-Match", "\"x\", \(tag)")])
                #expect(again.status == 304 && again.text.isEmpty && again.headers["ETag"] == tag, "\(path): \(again)")
                #expect(again.headers["Cache-Control"] == "no-store" && again.headers["X-Request-Id"] != nil)
                let stranger = try await service.send(.get, path, headers: [("If-None-Match", tag)])
                #expect(stranger.status == 401, "\(path): \(stranger)")
            }
            let event = try await service.post("/webhooks/portone/v1", #"{"imp_uid": "imp_1", "merchant_uid": "o"}"#)
            #expect(
                event.status == 200 && event.headers["ETag"] == nil, "an answer to POST describes nothing: \(event)")
            let export = try await service.get("/v1/exports/trial-balance", as: Token.finance())
            #expect(export.status == 200 && export.headers["ETag"] == nil, "a stream has no tag: \(export)")
        }
    }

    @Test func `no cursor ends the process`() async throws {
        try await House.openProcess { _, gateway, service in
            for _ in 0..<2 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            for (path, token) in [
                ("/v1/me/purchases", Token.user("ann")), ("/v1/me/lots", Token.user("ann")),
                ("/v1/me/statement", Token.user("ann")), ("/v1/settlements/outstanding", Token.finance()),
            ] {
                let page = try await service.get(path + "?limit=1", as: token)
                let cursor = sure(page.json["next_cursor"].text)
                let text = sure(Self.decoded(cursor))
                for edge in ["9223372036854775807", "-9223372036854775808", "-1", "0"] {
                    let forged = text.replacing(/-?[0-9]{1,}(?=[,}])/, with: edge)
                    let cursor = Data(forged.utf8).base64URL
                    let answer = try await service.get(path + "?limit=1&cursor=\(cursor)", as: token)
                    #expect([200, 400].contains(answer.status), "\(path) \(forged): \(answer)")
                }
            }
            #expect(try await service.get("/health/ready").status == 200)
        }
    }

    @Test func `a refund whose row can't be read holds up no other`() async throws {
        try await House.open { house, gateway, service in
            var ids: [Int64] = []
            var last: Payment?
            for number in 0..<3 {
                let payment = try await gateway.pay("1000", #", "cancel_outcome": "requested""#)
                ids.append(try await service.buy(payment))
                #expect(try await service.refund(ids[number], key: "refund-\(number)").status == 202)
                last = payment
            }
            // The first names a user whose purchase it is not, the second no account that could be meant.
            try await house.books.execute("UPDATE refund SET user_id = 'bob' WHERE purchase_id = \(ids[0])")
            try await house.books.execute("UPDATE refund SET refund_account = '7' WHERE purchase_id = \(ids[1])")
            try await gateway.settle(try #require(last), "SUCCEEDED")
            try await eventually("the third is completed") {
                try await house.books.makeRefundsDue()
                return try await house.books.refunds.contains("completed")
            }
            #expect(try await service.get("/health/ready").status == 200)
        }
    }

    private static func decoded(_ cursor: String) -> String? {
        var text = cursor.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
    }
}
