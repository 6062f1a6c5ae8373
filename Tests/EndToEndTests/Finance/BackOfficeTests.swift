import Foundation
import TestSupport
import Testing

/// What finance and support look at every day: findings and what they do about them, what waits, figures, accounts.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BackOfficeTests {
    @Test func `a finding is assigned, noted and resolved, and each act is kept with who and why`() async throws {
        try await House.open { _, gateway, service in
            let id = try await service.unmatchedAmount(at: gateway)
            try await Self.expectFilters(of: id, service)
            #expect(try await service.ask("/v1/findings?assigned=true").json["findings"].elements.isEmpty)
            #expect(try await service.ask("/v1/findings/\(id)").json["acts"].elements.isEmpty)

            let assigned = try await service.act("findings/\(id)/assign", #"{"assignee": "min"}"#)
            #expect(assigned.status == 200 && assigned.json["assignee"] == "min", "\(assigned)")
            for filter in ["assigned=true", "assignee=min", "kind=amount_mismatch", "status=open"] {
                let found = try await service.ask("/v1/findings?\(filter)").json["findings"].elements
                #expect(found.map { $0["id"].integer } == [id], "\(filter)")
            }
            for filter in ["assigned=false", "assignee=max", "status=resolved"] {
                #expect(try await service.ask("/v1/findings?\(filter)").json["findings"].elements.isEmpty, "\(filter)")
            }
            // A repeat has no further effect, whoever lost the first answer.
            for _ in 1...2 { _ = try await service.act("findings/\(id)/notes", #"{"text": "asked <b>her</b>"}"#) }
            let freed = try await service.act("findings/\(id)/assign", "{}")
            #expect(freed.json["assignee"].text == nil)

            let resolved = try await service.act("findings/\(id)/resolve", #"{"reason": "cancelled"}"#)
            #expect(resolved.json["status"] == "resolved" && resolved.json["resolved_at"].text != nil, "\(resolved)")
            let acts = try await service.ask("/v1/findings/\(id)").json["acts"].elements
            #expect(acts.map { $0["act"] } == ["assign", "note", "unassign", "resolve"])
            #expect(acts.map { $0["reason"].text } == [nil, "asked <b>her</b>", nil, "cancelled"])
            #expect(acts.allSatisfy { $0["by"] == "a-clerk" && $0["acted_at"].text != nil })
            #expect(try await service.ask("/v1/findings").json["findings"].elements.isEmpty)
            let done = try await service.ask("/v1/findings?status=resolved").json["findings"].elements
            #expect(done.map { $0["id"].integer } == [id] && done[0]["kind"] == "amount_mismatch")
        }
    }

    /// A finding is found by its user, payment and order, and refused or missed by other names.
    private static func expectFilters(of id: Int64, _ service: Service) async throws {
        let finding = try await service.ask("/v1/findings/\(id)").json
        let user = try #require(finding["user"].text)
        let payment = try #require(finding["imp_uid"].text)
        let order = try #require(finding["merchant_uid"].text)
        for (filter, name) in [("user", user), ("payment", payment), ("order", order)] {
            let found = try await service.ask("/v1/findings?\(filter)=\(name)").json["findings"].elements
            #expect(found.map { $0["id"].integer } == [id], "\(filter)=\(name)")
            #expect(try await service.ask("/v1/findings?\(filter)=other").json["findings"].elements.isEmpty)
            for wrong in ["", "%00", String(repeating: "x", count: 129)] {
                let refused = try await service.ask("/v1/findings?\(filter)=\(wrong)")
                #expect(refused.status == 400 && refused.json["member"].text == filter, "\(filter): \(refused)")
            }
        }
    }

    @Test func `acts on findings need finance:write, a finding, and a reason`() async throws {
        try await House.open { _, gateway, service in
            let id = try await service.unmatchedAmount(at: gateway)
            let requests = [
                ("assign", #"{"assignee": "x"}"#), ("notes", #"{"text": "x"}"#), ("resolve", #"{"reason": "x"}"#),
                ("claim", #"{"user": "ann", "reason": "x"}"#),
            ]
            for (act, body) in requests {
                for token in [Token.make(sub: "r", scope: "finance:read"), Token.service(), Token.support()] {
                    let refused = try await service.post("/v1/findings/\(id)/\(act)", body, as: token)
                    #expect(refused.json["required_scope"] == "finance:write", "\(act): \(refused)")
                }
                #expect(try await service.act("findings/999999/\(act)", body).status == 404, "\(act)")
            }
            for (act, body) in [("notes", "{}"), ("resolve", #"{"reason": ""}"#), ("claim", #"{"user": "ann"}"#)] {
                let refused = try await service.act("findings/\(id)/\(act)", body)
                #expect(refused.status == 400 && refused.code == "missing_member", "\(act): \(refused)")
            }
            #expect(try await service.ask("/v1/findings/\(id)").json["acts"].elements.isEmpty)
            #expect(try await service.ask("/v1/findings/999999").status == 404)
        }
    }

    @Test func `a payment that several claim is credited to whom a person names, once`() async throws {
        try await House.open(["LEDGERD_CLAIM_GRACE": "1h"]) { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(payment, by: "ann").status == 202)
            try await gateway.change(payment, to: "paid")
            #expect(try await service.present(payment, by: "bob").code == "claimed_by_several")
            let finding = try #require(
                try await service.ask("/v1/findings?kind=claimed_by_several").json["findings"].elements.first)
            let id = try #require(finding["id"].integer)
            #expect(finding["claims"].elements.map { $0["user"] } == ["ann", "bob"])

            let body = #"{"user": "bob", "reason": "his card"}"#
            let claimed = try await service.act("findings/\(id)/claim", body)
            #expect(claimed.status == 201 && claimed.json["balance"]["user"] == "bob", "\(claimed)")
            #expect(try await service.act("findings/\(id)/claim", body).status == 200)
            let late = try await service.act("findings/\(id)/claim", #"{"user": "ann", "reason": "hers"}"#)
            #expect(late.status == 409 && late.code == "receipt_belongs_to_another_user", "\(late)")
            #expect(try await service.coins(of: "bob") == 100)
            #expect(try await service.coins(of: "ann") == 0)
            let after = try await service.ask("/v1/findings/\(id)").json
            #expect(after["status"] == "resolved" && after["acts"].elements.map { $0["whom"] } == ["bob"], "\(after)")
            try await house.expectSound()
        }
    }

    @Test func `a claim is refused for what the gateway says, and for another user's order`() async throws {
        try await House.open { house, gateway, service in
            let id = try await service.unmatchedAmount(at: gateway)
            let refused = try await service.act("findings/\(id)/claim", #"{"user": "ann", "reason": "x"}"#)
            #expect(refused.status == 422 && refused.code == "amount_mismatch", "\(refused)")

            let order = try await service.order("coins_100", at: .v1).json
            let paid = try await gateway.pay(try #require(order["merchant_uid"].text), 1000, .v1)
            #expect(try await service.present(paid, by: "bob").code == "order_belongs_to_another_user")
            let other = try #require(
                try await service.ask("/v1/findings?kind=order_belongs_to_another_user").json["findings"].elements
                    .first?["id"].integer)
            let stolen = try await service.act("findings/\(other)/claim", #"{"user": "bob", "reason": "x"}"#)
            #expect(stolen.code == "order_belongs_to_another_user", "\(stolen)")
            let given = try await service.act("findings/\(other)/claim", #"{"user": "ann", "reason": "hers"}"#)
            #expect(given.status == 201 && given.json["balance"]["total"] == 100, "\(given)")
            try await house.expectSound()
        }
    }

    @Test func `a payment is credited to a user without any record only if the claim says that the user is new`()
        async throws
    {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000")
            _ = try await service.tellV1(Hooks.v1(payment, "paid"))
            try await eventually("it is found") { try await service.findings().count == 1 }
            let id = try #require(try await service.findings().first?["id"].integer)
            for body in [
                #"{"user": "anm", "reason": "x"}"#, #"{"user": "anm", "reason": "x", "new_user": false}"#,
            ] {
                let refused = try await service.act("findings/\(id)/claim", body)
                #expect(refused.status == 422 && refused.code == "user_unknown", "\(refused)")
            }
            let wrong = try await service.act(
                "findings/\(id)/claim", #"{"user": "anm", "reason": "x", "new_user": "yes"}"#)
            #expect(wrong.status == 400, "\(wrong)")
            #expect(try await service.coins(of: "anm") == 0)
            let body = #"{"user": "anm", "reason": "x", "new_user": true}"#
            let given = try await service.act("findings/\(id)/claim", body)
            #expect(given.status == 201 && given.json["balance"]["total"] == 100, "\(given)")
            // Now there is a record.
            let repeated = try await service.act("findings/\(id)/claim", #"{"user": "anm", "reason": "x"}"#)
            #expect(repeated.status == 200, "\(repeated)")
            try await house.expectSound()
        }
    }

    @Test func `receipts and refunds that wait are listed across users, with why`() async throws {
        try await House.open { house, gateway, service in
            let paid = try await gateway.pay()
            let credited = try await service.present(paid, by: "ann").json
            try await gateway.fail(#"{"path": "/payments", "kind": "status", "status": 500, "times": 90}"#)
            for user in ["ann", "bob", "eve"] {
                #expect(try await service.present(try await gateway.pay(), by: user).status == 202)
            }
            let first = try await service.ask("/v1/receipts?limit=2", as: Token.support()).json
            #expect(first["receipts"].elements.map { $0["user"] } == ["ann", "bob"] && first["has_more"] == true)
            let cursor = try #require(first["next_cursor"].text)
            let rest = try await service.ask("/v1/receipts?limit=2&cursor=\(cursor)", as: Token.support()).json
            #expect(rest["receipts"].elements.map { $0["user"] } == ["eve"])
            #expect(rest["receipts"].elements.allSatisfy { $0["reason"] == "gateway_unavailable" })
            let others = try await service.ask("/v1/receipts?reason=awaiting_payment", as: Token.support()).json
            #expect(others["receipts"].elements.isEmpty)

            let purchase = try #require(credited["purchase"]["id"].integer)
            let begun = try await service.post(
                "/v1/purchases/\(purchase)/refunds", #"{"reason": "x"}"#, key: "r", as: Token.service())
            #expect(begun.status == 202, "\(begun)")
            let waiting = try await service.ask("/v1/refunds", as: Token.support()).json["refunds"].elements
            #expect(waiting.map { $0["user"] } == ["ann"] && waiting[0]["refund"]["status"] == "pending", "\(waiting)")
            #expect(waiting[0]["waiting_for"].text?.isEmpty == false && waiting[0]["next_attempt_at"].text != nil)

            let live = try await service.ask("/v1/live", as: Token.support()).json
            #expect(live["open"]["receipts_waiting"] == 3 && live["open"]["refunds_pending"] == 1, "\(live)")
            #expect(live["open"]["oldest_receipt_at"].text != nil && live["open"]["findings"] == 0)
            let minutes = live["payments_per_minute"].elements.compactMap(\.integer)
            #expect(minutes.count == 60 && minutes.reduce(0, +) == 1)
            let state = try #require(live["gateways"].elements.first { $0["gateway"] == "portone-v1" })
            #expect(sure(state["failed_calls"].integer) > 0 && sure(state["calls"].integer) > 1, "\(state)")
            #expect(try await service.ask("/v1/live").status == 200)
            for token in [Token.user("ann"), Token.service()] {
                let refused = try await service.ask("/v1/live", as: token)
                #expect(refused.status == 403 && refused.json["required_scope"] == "support", "\(refused)")
            }
        }
    }

    @Test func `figures of days are those of the accounts, also of a day before and after returns`() async throws {
        try await House.open(Noon.setting) { house, gateway, service in
            let credited = try await service.present(try await gateway.pay()).json
            #expect(try await service.present(try await gateway.pay("5000"), by: "bob").status == 201)
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 30}"#, key: "s", as: Token.service())
            _ = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 7, "reason": "x"}"#, key: "g", as: Token.service())

            let today = try #require(try await service.ask("/v1/figures/days").json["days"].elements.last)
            #expect(
                today["coins_sold"] == 600 && today["coins_promoted"] == 57 && today["coins_spent"] == 30, "\(today)")
            #expect(today["revenue"] == 300 && today["breakage"] == 0 && today["liability"] == 5700)
            let empty = try await service.ask("/v1/figures/days?from=2020-01-01&to=2020-12-31").json["days"].elements
            #expect(empty.count == 365 && empty.allSatisfy { $0["liability"] == 0 })

            // Coins captured for a provider are spent, too; these are bonus coins, without won.
            let hold = try await service.post("/v1/users/bob/holds", #"{"coins": 50}"#, key: "h", as: Token.service())
            let captured = try await service.post(
                "/v1/holds/\(sure(hold.json["hold"]["id"].integer))/capture", #"{"provider": "designer-3"}"#, key: "c",
                as: Token.service())
            #expect(captured.status == 200, "\(captured)")
            let spent = try #require(try await service.ask("/v1/figures/days").json["days"].elements.last)
            #expect(spent["coins_spent"] == 80, "\(spent)")

            let purchase = try #require(credited["purchase"]["id"].integer)
            let back = try await service.post(
                "/v1/purchases/\(purchase)/refunds", #"{"coins": 20, "reason": "x"}"#, key: "r", as: Token.service())
            #expect(back.status == 201, "\(back)")
            let later = try #require(try await service.ask("/v1/figures/days").json["days"].elements.last)
            #expect(later["coins_sold"] == 580 && later["liability"] == 5500, "\(later)")

            let sales = try await service.ask("/v1/figures/sales").json["sales"].elements
            #expect(sales.map { $0["product"] } == ["coins_100", "coins_500"])
            #expect(sales.map { $0["amount"] } == [1000, 5000] && sales.map { $0["refunded_amount"] } == [200, 0])
            #expect(sales.allSatisfy { $0["day"].text == today["day"].text && $0["purchases"] == 1 })
            for query in ["from=2026-02-30", "from=2026-01-02&to=2026-01-02", "from=2020-01-01&to=2026-01-01", "x=1"] {
                #expect(try await service.ask("/v1/figures/days?\(query)").status == 400, "\(query)")
            }
            #expect(try await service.ask("/v1/figures/sales?from=2026-01-01&to=2026-03-01").status == 400)
        }
    }

    @Test func `the trial balance is followed down to postings and entries`() async throws {
        try await House.open { _, gateway, service in
            for _ in 1...3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            let first = try await service.ask("/v1/postings?account=wallet:ann:paid&limit=2").json
            #expect(first["balance"] == 300 && first["normal_side"] == "credit" && first["currency"] == "COIN")
            #expect(first["postings"].elements.map { $0["balance"] } == [300, 200], "\(first)")
            let cursor = try #require(first["next_cursor"].text)
            let rest = try await service.ask("/v1/postings?account=wallet:ann:paid&limit=2&cursor=\(cursor)").json
            #expect(rest["postings"].elements.map { $0["seq"] } == [1] && rest["has_more"] == false)
            let early = try await service.ask("/v1/postings?account=wallet:ann:paid&before=2020-01-01").json
            #expect(early["postings"].elements.isEmpty && early["balance"] == 300)

            let id = try #require(rest["postings"].elements.first?["journal_entry_id"].integer)
            let entry = try await service.ask("/v1/entries/\(id)").json
            #expect(entry["kind"] == "purchase" && entry["postings"].elements.count == 4, "\(entry)")
            #expect(
                entry["postings"].elements.contains { $0["account"] == "wallet:ann:paid" && $0["side"] == "credit" })
            // People follow an account from the entry: stripes are for SQL only.
            let issued = entry["postings"].elements.filter { $0["account"] == "coins:issued" }
            #expect(issued.map { $0["amount"] } == [100], "\(entry)")
            #expect(try await service.ask("/v1/postings?account=coins:issued").json["balance"] == 300)
            #expect(try await service.ask("/v1/entries/999999999").status == 404)
            #expect(try await service.ask("/v1/postings?account=nothing").status == 404)
            #expect(try await service.ask("/v1/postings").status == 400)
        }
    }

    @Test func `what is outstanding is listed by age, and unmatched lines across files`() async throws {
        try await House.open { house, gateway, service in
            for _ in 1...3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            try await house.books.execute(
                """
                UPDATE purchase SET paid_at = paid_at - days * interval '1 day'
                FROM (SELECT id, row_number() OVER (ORDER BY id) * 4 - 4 AS days FROM purchase) AS aged
                WHERE aged.id = purchase.id
                """)
            let ages = try await service.ask("/v1/settlements/outstanding/ages").json["ages"].elements
            #expect(ages.map { $0["from_days"] } == [0, 3, 8, 31])
            #expect(
                ages.map { $0["payments"] } == [1, 1, 1, 0] && ages.map { $0["outstanding"] } == [1000, 1000, 1000, 0])

            for (name, id) in [("one", "imp_x"), ("two", "imp_y")] {
                let day = seoulDay()
                let sent = try await service.send(
                    .post, "/v1/settlements?payment_id=id&gross=gross&net=gross&paid_out_at=day&name=\(name)",
                    as: Token.finance(), headers: [("Content-Type", "text/csv")], body: "id,gross,day\n\(id),500,\(day)"
                )
                #expect(sent.status == 200, "\(sent)")
            }
            let rows = try await service.ask("/v1/settlements/unmatched").json["rows"].elements
            #expect(
                rows.map { $0["payment"] } == ["imp_x", "imp_y"] && rows.map { $0["settlement"] } == [1, 2], "\(rows)")
            #expect(try await service.ask("/v1/open-items").json["settlement_lines_unmatched"] == 2)
        }
    }
}

extension Service {
    /// Asks as finance, unless another token is given.
    fileprivate func ask(_ path: String, as token: String = Token.finance()) async throws -> Answer {
        try await get(path, as: token)
    }

    /// Acts as finance.
    fileprivate func act(_ path: String, _ body: String) async throws -> Answer {
        try await post("/v1/" + path, body, as: Token.finance())
    }

    /// Presents a payment of an amount that no product has, and returns its finding.
    fileprivate func unmatchedAmount(at gateway: Gateway) async throws -> Int64 {
        #expect(try await present(try await gateway.pay("1234")).code == "amount_mismatch")
        return try #require(try await ask("/v1/findings").json["findings"].elements.first?["id"].integer)
    }
}
