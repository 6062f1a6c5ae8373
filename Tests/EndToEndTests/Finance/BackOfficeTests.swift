import Foundation
import TestSupport
import Testing

/// What finance and support look at every day: findings and what they do about them, what waits, figures, accounts.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BackOfficeTests {
    @Test func `a finding is assigned, noted and resolved, and each act is kept with who and why`() async throws {
        try await House.open { _, gateway, service in
            let id = try await service.unmatchedAmount(at: gateway)
            try await Self.expectFilters(of: id, service)
            #expect(try await service.findings("assigned=true").isEmpty)
            #expect(try await service.acts(on: id).isEmpty)

            let assigned = try await service.act("findings/\(id)/assign", #"{"assignee": "min"}"#)
            #expect(assigned.status == 200 && assigned.json["assignee"] == "min", "\(assigned)")
            for filter in ["assigned=true", "assignee=min", "kind=amount_mismatch", "status=open"] {
                let found = try await service.findings(filter)
                #expect(found.map { $0["id"].integer } == [id], "\(filter)")
            }
            for filter in ["assigned=false", "assignee=max", "status=resolved"] {
                #expect(try await service.findings(filter).isEmpty, "\(filter)")
            }
            // A repeat has no further effect, whoever lost the first answer.
            for _ in 1...2 { _ = try await service.act("findings/\(id)/notes", #"{"text": "asked <b>her</b>"}"#) }
            let freed = try await service.act("findings/\(id)/assign", "{}")
            #expect(freed.json["assignee"].text == nil)

            let resolved = try await service.act("findings/\(id)/resolve", #"{"reason": "cancelled"}"#)
            #expect(resolved.json["status"] == "resolved" && resolved.json["resolved_at"].text != nil, "\(resolved)")
            let acts = try await service.acts(on: id)
            #expect(acts.map { $0["act"] } == ["assign", "note", "unassign", "resolve"])
            #expect(acts.map { $0["reason"].text } == [nil, "asked <b>her</b>", nil, "cancelled"])
            #expect(acts.allSatisfy { $0["by"] == "a-clerk" && $0["acted_at"].text != nil })
            #expect(try await service.findings().isEmpty)
            let done = try await service.findings("status=resolved")
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
            let found = try await service.findings("\(filter)=\(name)")
            #expect(found.map { $0["id"].integer } == [id], "\(filter)=\(name)")
            #expect(try await service.findings("\(filter)=other").isEmpty)
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
            #expect(try await service.acts(on: id).isEmpty)
            #expect(try await service.ask("/v1/findings/999999").status == 404)
        }
    }

    @Test func `a payment that several claim is credited to whom a person names, once`() async throws {
        try await House.open(["LEDGERD_CLAIM_GRACE": "1h"]) { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(payment, by: "ann").status == 202)
            try await gateway.change(payment, to: "paid")
            #expect(try await service.present(payment, by: "bob").code == "claimed_by_several")
            let finding = try #require(try await service.findings("kind=claimed_by_several").first)
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
            let others = try await service.findings("kind=order_belongs_to_another_user")
            let other = try #require(others.first?["id"].integer)
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

    /// The findings that a query names.
    fileprivate func findings(_ query: String) async throws -> [JSON] {
        try await ask("/v1/findings?\(query)").json["findings"].elements
    }

    /// What people did about a finding.
    fileprivate func acts(on finding: Int64) async throws -> [JSON] {
        try await ask("/v1/findings/\(finding)").json["acts"].elements
    }

    /// Presents a payment of an amount that no product has, and returns its finding.
    fileprivate func unmatchedAmount(at gateway: Gateway) async throws -> Int64 {
        #expect(try await present(try await gateway.pay("1234")).code == "amount_mismatch")
        return try #require(try await findings().first?["id"].integer)
    }
}
