import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Spends, grants, holds and lots over HTTP.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SpendingTests {
    @Test func `a booking is held, captured in part and returned`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let placed = try await service.post(
                "/v1/users/ann/holds", #"{"coins": 120, "timeout_seconds": 86400, "reference": "booking:7"}"#, key: "h")
            #expect(placed.status == 201, "\(placed)")
            #expect(placed.json["balance"]["held"] == 120 && placed.json["balance"]["available"] == 430)
            #expect(placed.json["lots"].elements.map { $0["coins"] } == [50, 70])
            let id = sure(placed.json["hold"]["id"].integer)

            let captured = try await service.post(
                "/v1/holds/\(id)/capture", #"{"coins": 90, "provider": "designer-3"}"#, key: "c1")
            #expect(captured.status == 200 && captured.json["hold"]["remaining"] == 30, "\(captured)")
            #expect(captured.json["capture"]["amount"] == 400, "40 paid coins at ₩10: \(captured)")
            let tooMuch = try await service.post("/v1/holds/\(id)/capture", #"{"coins": 31}"#, key: "c2")
            #expect(tooMuch.status == 422 && tooMuch.code == "exceeds_hold", "\(tooMuch)")
            #expect(tooMuch.json["required"] == 31 && tooMuch.json["available"] == 30)
            let voided = try await service.post("/v1/holds/\(id)/void", "", key: "v")
            #expect(voided.status == 200 && voided.json["hold"]["status"] == "voided", "\(voided)")
            #expect(voided.json["balance"]["available"] == 460 && voided.json["balance"]["held"] == 0)
            let closed = try await service.post("/v1/holds/\(id)/capture", "{}", key: "c3")
            #expect(closed.status == 409 && closed.code == "hold_closed" && closed.json["hold_status"] == "voided")

            let shown = try await service.get("/v1/holds/\(id)", as: Token.service())
            #expect(
                shown.json["captured"] == 90 && shown.json["released"] == 30 && shown.json["reference"] == "booking:7")
            let mine = try await service.get("/v1/me/holds", as: Token.user("ann"))
            #expect(mine.json["holds"].elements == [shown.json])
            let earned = try await service.get("/v1/providers/designer-3/earnings", as: Token.service())
            #expect(earned.json["provider"] == "designer-3" && earned.json["coins"] == 90)
            let none = try await service.post("/v1/holds/999999/void", "", key: "v2")
            #expect(none.status == 404 && none.code == "not_found")
            try await house.expectSound()
        }
    }

    @Test func `coins are given, and come back with the refund of their purchase`() async throws {
        let settings = [
            "LEDGERD_GIFT_COINS": "paid", "LEDGERD_GIFT_FEE_PERCENT": "10", "LEDGERD_GIFT_DAILY_LIMIT": "60",
        ]
        try await House.open(settings) { house, gateway, service in
            let purchase = try await service.buy(try await gateway.pay())
            let path = "/v1/users/ann/transfers"
            func refused(_ body: String, _ key: String) async throws -> String? {
                let answer = try await service.post(path, body, key: key)
                #expect(answer.status == 422, "\(answer)")
                return answer.code
            }
            #expect(try await refused(#"{"to": "bob", "coins": 30}"#, "g1") == "unknown_receiver")
            #expect(try await refused(#"{"to": "ann", "coins": 30}"#, "g2") == "gift_to_oneself")
            _ = try await service.post("/v1/users/bob/grants", #"{"coins": 1, "reason": "x"}"#, key: "g")
            let given = try await service.post(path, #"{"to": "bob", "coins": 30, "reason": "a present"}"#, key: "g1")
            #expect(given.status == 201 && given.json["gift"]["to"] == "bob", "\(given)")
            #expect(given.json["gift"]["coins"] == 30 && given.json["gift"]["paid_coins"] == 30)
            #expect(given.json["gift"]["fee"] == 3 && given.json["balance"]["available"] == 67)
            let again = try await service.post(path, #"{"to": "bob", "coins": 30, "reason": "a present"}"#, key: "g1")
            #expect(again.json == given.json && again.headers["Idempotent-Replayed"] == "true")
            #expect(try await refused(#"{"to": "bob", "coins": 71}"#, "g3") == "exceeds_giveable")
            #expect(try await refused(#"{"to": "bob", "coins": 31}"#, "g4") == "gift_limit_exceeded")
            let lots = try await service.get("/v1/users/bob/lots", as: Token.service())
            let got = lots.json["lots"].elements.first { $0["kind"] == "paid" }
            #expect(got?["amount"] == 300 && got?["origin_lot_id"].integer != nil && got?["purchase_id"].integer == nil)
            let mine = try await service.get("/v1/me/statement", as: Token.user("bob"))
            #expect(mine.json["entries"].elements.first?["kind"] == "gift_received", "\(mine)")
            let refund = try await service.post(
                "/v1/purchases/\(purchase)/refunds", #"{"reason": "changed her mind"}"#, key: "r")
            #expect((200..<300).contains(refund.status) && refund.json["refund"]["coins"] == 97, "\(refund)")
            let left = try await service.get("/v1/users/bob/balance", as: Token.service())
            #expect(left.json["available"] == 1 && left.json["debt"] == 0)
            try await house.expectSound()
        }
    }

    @Test func `a grant is voided once, in part and as a whole, and no more than the wallet has`() async throws {
        try await House.open { house, _, service in
            let granted = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 50, "reason": "campaign"}"#, key: "g")
            let grant = sure(granted.json["grant"]["journal_entry_id"].integer)
            let held = try await service.post("/v1/users/ann/holds", #"{"coins": 10}"#, key: "h")
            #expect(held.status == 201)
            let part = #"{"coins": 15, "reason": "twice"}"#
            let voided = try await service.post("/v1/grants/\(grant)/void", part, key: "v1")
            #expect(voided.status == 201 && voided.json["void"]["reverses"].integer == grant, "\(voided)")
            #expect(voided.json["void"]["left"] == 25 && voided.json["void"]["held"] == 10)
            let again = try await service.post("/v1/grants/\(grant)/void", part, key: "v1")
            #expect(again.json == voided.json && again.headers["Idempotent-Replayed"] == "true")
            let much = try await service.post(
                "/v1/grants/\(grant)/void", #"{"coins": 26, "reason": "x"}"#, key: "v2")
            #expect(much.status == 422 && much.code == "exceeds_grant" && much.json["held"] == 10, "\(much)")
            let rest = try await service.post("/v1/grants/\(grant)/void", #"{"reason": "mistake"}"#, key: "v3")
            #expect(rest.json["void"]["coins"] == 25 && rest.json["balance"]["available"] == 0, "\(rest)")
            let none = try await service.post("/v1/grants/999999/void", #"{"reason": "x"}"#, key: "v4")
            #expect(none.status == 404 && none.code == "not_found")
            let statement = try await service.get("/v1/me/statement", as: Token.user("ann"))
            #expect(statement.json["entries"].elements.first?["kind"] == "grant_void")
            try await house.expectSound()
        }
    }

    @Test func `a spend and a capture are reversed, and no more than they took`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "s")
            let spend = sure(spent.json["spend"]["journal_entry_id"].integer)
            let part = try await service.post(
                "/v1/spends/\(spend)/reversals", #"{"coins": 4, "reason": "half of it"}"#, key: "r1")
            #expect(part.status == 201 && part.json["reversal"]["left"] == 56, "\(part)")
            #expect(
                part.json["reversal"]["amount"] == 40
                    && part.json["reversal"]["reverses"] == spent.json["spend"]["journal_entry_id"])
            #expect(part.json["lots"].elements.map { $0["kind"] } == ["paid"])
            #expect(part.json["balance"]["available"] == 494)
            let again = try await service.post(
                "/v1/spends/\(spend)/reversals", #"{"coins": 4, "reason": "half of it"}"#, key: "r1")
            #expect(again.json == part.json && again.headers["Idempotent-Replayed"] == "true")
            let much = try await service.post("/v1/spends/\(spend)/reversals", #"{"coins": 57}"#, key: "r2")
            #expect(much.status == 422 && much.code == "exceeds_redemption", "\(much)")
            #expect(much.json["required"] == 57 && much.json["available"] == 56)
            let rest = try await service.post("/v1/spends/\(spend)/reversals", "", key: "r3")
            #expect(rest.status == 201 && rest.json["balance"]["available"] == 550, "\(rest)")
            let none = try await service.post("/v1/spends/\(spend)/reversals", "", key: "r4")
            #expect(none.status == 422 && none.code == "already_reversed", "\(none)")

            let held = try await service.post("/v1/users/ann/holds", #"{"coins": 90}"#, key: "h")
            let hold = sure(held.json["hold"]["id"].integer)
            let captured = try await service.post(
                "/v1/holds/\(hold)/capture", #"{"coins": 80, "provider": "designer-3", "final": true}"#, key: "c")
            let capture = sure(captured.json["capture"]["journal_entry_id"].integer)
            let back = try await service.post(
                "/v1/holds/\(hold)/captures/\(capture)/reversals", #"{"coins": 30}"#, key: "r5")
            #expect(back.status == 201 && back.json["reversal"]["provider"] == "designer-3", "\(back)")
            let earned = try await service.get("/v1/providers/designer-3/earnings", as: Token.service())
            #expect(earned.json["coins"] == 50)
            for path in [
                "/v1/spends/\(capture)/reversals", "/v1/holds/\(hold)/captures/\(spend)/reversals",
                "/v1/holds/\(hold + 1)/captures/\(capture)/reversals", "/v1/spends/999999/reversals",
            ] {
                let wrong = try await service.post(path, "", key: "wrong")
                #expect(wrong.status == 404 && wrong.code == "not_found", "\(path): \(wrong)")
            }
            let statement = try await service.get("/v1/me/statement", as: Token.user("ann"))
            #expect(
                statement.json["entries"].elements.map { $0["kind"].text } == [
                    "capture_reversal", "void", "capture", "hold", "spend_reversal", "spend_reversal", "spend",
                    "purchase",
                ])
            try await house.expectSound()
        }
    }

    @Test func `a statement shows every act and its balance`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            _ = try await service.post("/v1/users/ann/grants", #"{"coins": 7, "reason": "sorry"}"#, key: "g")
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 60, "reference": "song:1"}"#, key: "s")
            _ = try await service.post("/v1/users/ann/holds", #"{"coins": 10}"#, key: "h")
            let answer = try await service.get("/v1/me/statement", as: Token.user("ann"))
            let entries = answer.json["entries"].elements
            #expect(entries.map { $0["kind"] } == ["hold", "spend", "grant", "purchase"])
            #expect(entries.map { $0["coins"] } == [0, -60, 7, 550])
            #expect(entries.map { $0["balance"] } == [497, 497, 557, 550])
            #expect(entries[1]["reference"] == "song:1" && entries[2]["reason"] == "sorry")
            #expect(try await service.coins() == 497)
            // What it shows of a moment is what it showed then.
            for entry in entries {
                let moment = sure(entry["recorded_at"].text)
                let then = try await service.get("/v1/me/balance?at=\(moment)", as: Token.user("ann"))
                #expect(then.json["total"] == entry["balance"], "\(then)")
            }
            try await house.expectSound()
        }
    }

    @Test func `lots and holds expire by themselves`() async throws {
        try await House.with { house in
            // Ahead, so that nothing is paid later than it is recorded.
            let begin = Date.now.addingTimeInterval(600)
            let clock = try await TestClock(in: house.ledger, at: begin)
            try await house.books.execute("UPDATE product SET active_from = '2025-01-01'")
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway)
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let soon = begin.addingTimeInterval(3600).formatted(.iso8601)
            let granted = try await service.post(
                "/v1/users/ann/grants",
                #"{"coins": 5, "reason": "trial", "issuer": "marketing", "expires_at": "\#(soon)"}"#, key: "g")
            #expect(granted.status == 201 && granted.json["balance"]["bonus"] == 5, "\(granted)")
            let past = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 5, "reason": "late", "expires_at": "2020-01-01T00:00:00Z"}"#,
                key: "late")
            #expect(past.status == 422 && past.code == "already_expired", "\(past)")

            let lots = try await service.get("/v1/me/lots", as: Token.user("ann")).json["lots"].elements
            #expect(lots.map { $0["kind"] } == ["bonus", "paid"] && lots.map { $0["remaining"] } == [5, 100])
            #expect(lots.first?["issuer"] == "marketing" && lots.last?["amount"] == 1000)
            let horizon = begin.addingTimeInterval(7000).formatted(.iso8601)
            let mine = try await service.get("/v1/me/lots?expires_before=\(horizon)", as: Token.user("ann"))
            #expect(mine.json["lots"].elements == Array(lots.prefix(1)))
            let all = try await service.get("/v1/lots/expiring?before=\(horizon)", as: Token.service())
            #expect(all.json["lots"].elements == Array(lots.prefix(1)), "\(all)")

            let held = try await service.post(
                "/v1/users/ann/holds", #"{"coins": 50, "timeout_seconds": 1800}"#, key: "h")
            #expect(held.json["balance"]["held"] == 50, "\(held)")
            try await clock.set(to: begin.addingTimeInterval(1900))
            try await eventually("the hold expires") {
                try await service.get("/v1/me/balance", as: Token.user("ann")).json["held"] == 0
            }
            #expect(try await service.coins() == 105)
            try await clock.set(to: begin.addingTimeInterval(7200))
            try await eventually("the lot expires") { try await service.coins() == 100 }
            let entries = try await service.get("/v1/me/statement", as: Token.user("ann")).json["entries"].elements
            #expect(Set(entries.prefix(2).map { $0["kind"].text }) == ["expiry", "void"], "\(entries)")
            #expect(entries.first { $0["kind"] == "expiry" }?["effective_at"].text?.prefix(19) == soon.prefix(19))
            try await house.expectSound()
        }
    }

    @Test func `an impossible request is named`() async throws {
        try await House.open { _, _, service in
            for (path, body, pointer) in [
                ("users/ann/spends", #"{"coins": 0}"#, "/coins"), ("users/ann/spends", #"{"coins": -1}"#, "/coins"),
                ("users/ann/spends", #"{"coins": 1.5}"#, "/coins"), ("users/ann/spends", "{}", "/coins"),
                ("users/ann/spends", #"{"coins": "5"}"#, "/coins"),
                ("users/ann/spends", #"{"coins": 5, "reference": ""}"#, "/reference"),
                ("users/ann/grants", #"{"coins": 5}"#, "/reason"),
                ("users/ann/grants", #"{"coins": 5, "reason": "x", "expires_at": "soon"}"#, "/expires_at"),
                ("users/ann/holds", #"{"coins": 5, "timeout_seconds": 0}"#, "/timeout_seconds"),
                ("holds/1/capture", #"{"coins": 0}"#, "/coins"), ("holds/1/capture", #"{"final": "yes"}"#, "/final"),
            ] {
                let answer = try await service.post("/v1/\(path)", body, key: "k-\(path)-\(body)")
                #expect(answer.status == 400 && answer.json["pointer"].text == pointer, "\(path) \(body): \(answer)")
                #expect(answer.isProblem)
            }
            let before = try await service.get("/v1/lots/expiring", as: Token.service())
            #expect(before.status == 400 && before.json["member"] == "before", "\(before)")
            #expect(try await service.get("/v1/me/lots?expires_before=x", as: Token.user("ann")).status == 400)
        }
    }

    @Test func `of thirty-two spenders over two services ten succeed`() async throws {
        try await House.open { house, gateway, one in
            let two = try await house.serve(at: gateway)
            _ = try await one.post("/v1/users/ann/grants", #"{"coins": 10, "reason": "race"}"#, key: "g")
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for number in 0..<32 {
                    let service = number.isMultiple(of: 2) ? one : two
                    group.addTask {
                        try await service.post("/v1/users/ann/spends", #"{"coins": 1}"#, key: "s-\(number)")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 201 }.count == 10)
            #expect(answers.filter { $0.status == 402 && $0.code == "insufficient_coins" }.count == 22)
            #expect(try await one.coins() == 0)
            try await house.expectSound()
        }
    }
}
