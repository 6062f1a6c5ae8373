import TestSupport
import Testing

/// Customer support finds what became of a payment, knowing only a name of it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SupportTests {
    @Test func `a purchase is found by each of its names, with its user`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay(), by: "ann")
            let other = try await service.credited(try await gateway.pay(), by: "bob")

            for name in ["imp_uid=\(payment.impUID)", "merchant_uid=\(payment.merchantUID)"] {
                let found = try await service.ask("/v1/purchases?\(name)").json
                #expect(found["purchases"].elements.map { $0["user"] } == ["ann"], "\(name)")
                #expect(found["purchases"].elements.first?["imp_uid"].text == payment.impUID)
                #expect(found["has_more"] == false)
            }
            // A name is found as what it is.
            for name in ["merchant_uid=\(payment.impUID)", "imp_uid=imp_0", "merchant_uid=%EC%A3%BC%EB%AC%B8/1"] {
                #expect(try await service.ask("/v1/purchases?\(name)").json["purchases"].elements.isEmpty, "\(name)")
            }
            let id = try #require(
                try await service.ask("/v1/purchases?imp_uid=\(other.impUID)").json["purchases"].elements.first?["id"]
                    .integer)
            let found = try await service.ask("/v1/purchases/\(id)").json
            #expect(found["user"] == "bob" && found["refunds"].elements.isEmpty && found["merchant_uid"] != nil)
            #expect(try await service.ask("/v1/purchases/999999").status == 404)

            // Users see their purchases as before.
            let own = try await service.get("/v1/me/purchases/\(id)", as: Token.user("bob")).json
            #expect(own["id"].integer == id && !own.members.contains("user"))

            let nameless = try await service.ask("/v1/purchases")
            #expect(nameless.status == 400 && nameless.text.contains("imp_uid or merchant_uid is required"))
            for member in ["imp_uid", "merchant_uid"] {
                for text in ["", "%00", "%E2%80%AE"] {
                    let answer = try await service.ask("/v1/purchases?\(member)=\(text)")
                    #expect(answer.status == 400, "\(member)=\(text)")
                    #expect(answer.json["member"].text == member)
                }
            }
            let both = try await service.ask("/v1/purchases?imp_uid=a&merchant_uid=b")
            #expect(both.status == 400 && both.text.contains("not both"), "\(both)")
        }
    }

    @Test func `receipts that could not be decided are listed with what became of them`() async throws {
        try await House.open { house, gateway, service in
            try await gateway.fail(#"{"path": "/payments", "kind": "status", "status": 500, "times": 50}"#)
            let payments = [try await gateway.pay(), try await gateway.pay(), try await gateway.pay()]
            for payment in payments { #expect(try await service.present(payment).status == 202) }
            #expect(try await service.present(try await gateway.pay(), by: "bob").status == 202)

            let waiting = try await service.ask("/v1/users/ann/receipts?status=waiting").json["receipts"].elements
            #expect(waiting.map { $0["imp_uid"].text } == payments.reversed().map(\.impUID))
            #expect(waiting.allSatisfy { $0["reason"] == "gateway_unavailable" && $0["next_attempt_at"].text != nil })
            #expect(waiting.allSatisfy { !$0.members.contains("decided_at") && $0["claimed_at"].text != nil })

            try await gateway.fail(#"{"path": "*", "times": 0}"#)
            try await eventually("they are credited") {
                try await house.books.makeReceiptsDue()
                return try await house.books.receipts("waiting") == 0
            }
            let first = try await service.ask("/v1/users/ann/receipts?limit=2").json
            #expect(first["receipts"].elements.count == 2 && first["has_more"] == true)
            let cursor = try #require(first["next_cursor"].text)
            let rest = try await service.ask("/v1/users/ann/receipts?limit=2&cursor=\(cursor)").json
            #expect(rest["receipts"].elements.map { $0["imp_uid"].text } == [payments[0].impUID])
            #expect(rest["receipts"].elements.allSatisfy { $0["status"] == "credited" && $0["decided_at"].text != nil })
            #expect(try await service.ask("/v1/users/ann/receipts?status=waiting").json["receipts"].elements.isEmpty)
            #expect(try await service.ask("/v1/users/ann/receipts?status=lost").status == 400)
        }
    }

    @Test func `orders of any user are listed`() async throws {
        try await House.open { house, gateway, service in
            let order = try await service.order("coins_500", at: .v1).json
            let id = try #require(order["id"].integer)
            let listed = try await service.ask("/v1/users/ann/orders").json["orders"].elements
            #expect(listed.map { $0["id"].integer } == [id])
            #expect(try await service.ask("/v1/users/ann/orders?status=paid").json["orders"].elements.isEmpty)
            #expect(try await service.ask("/v1/users/ann/orders/\(id)").json["merchant_uid"] == order["merchant_uid"])
            #expect(try await service.ask("/v1/users/bob/orders/\(id)").status == 404)
        }
    }

    @Test func `a customer is found by any name, and has a timeline with everything and notes`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            let id = try #require(try await service.present(payment).purchase["id"].integer)
            _ = try await service.order("coins_500", at: .v1)
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 3, "reason": "game"}"#, key: "s")
            let waiting = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(waiting).status == 202)
            for name in ["ann", payment.impUID, payment.merchantUID, "\(id)", waiting.impUID] {
                let found = try await service.ask("/v1/search?name=\(name)").json["matches"].elements
                #expect(!found.isEmpty && found.allSatisfy { $0["user"] == "ann" }, "\(name)")
            }
            #expect(try await service.ask("/v1/search?name=ANN").json["matches"].elements.isEmpty)
            #expect(try await service.ask("/v1/search?name=%00").json["matches"].elements.isEmpty)

            let path = "/v1/users/ann/notes"
            let note = try await service.post(path, #"{"text": "called"}"#, key: "n", as: Token.support())
            #expect(note.status == 201 && note.json["written_by"] == "a-supporter", "\(note)")
            let again = try await service.post(path, #"{"text": "called"}"#, key: "n", as: Token.support())
            #expect(again.json == note.json)
            let other = try await service.post(path, #"{"text": "wrote"}"#, key: "n", as: Token.support())
            #expect(other.status == 422 && other.code == "idempotency_key_reused", "\(other)")
            #expect(try await service.ask(path).json["notes"].elements == [note.json])

            // Page by page, it is the same list.
            var kinds: [String] = []
            var cursor = ""
            repeat {
                let page = try await service.ask("/v1/users/ann/timeline?limit=1\(cursor)").json
                kinds += page["items"].elements.map { item in
                    item["entry"]["kind"].text ?? ["receipt", "order", "note"].first { item.members.contains($0) }
                        ?? "?"
                }
                cursor = page["next_cursor"].text.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(kinds == ["note", "receipt", "spend", "order", "purchase"])
            let whole = try await service.ask("/v1/users/ann/timeline").json["items"].elements
            #expect(whole.count == 5)
        }
    }

    @Test func `all that is held about a user is a file, which names nobody of the shop`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay(), by: "ann")
            let other = try await service.credited(try await gateway.pay(), by: "bob")
            let note = try await service.post(
                "/v1/users/ann/notes", #"{"text": "called"}"#, key: "n", as: Token.support())
            #expect(note.status == 201)

            let answer = try await service.ask("/v1/users/ann/export")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/x-ndjson", "\(answer)")
            let lines = answer.text.split(separator: "\n").map { JSON(Array($0.utf8)) }
            #expect(lines.last?["rows"].integer == Int64(lines.count - 1))
            let tables = Set(lines.dropLast().compactMap { $0["table"].text })
            #expect(
                tables.isSuperset(of: ["purchase", "lot", "posting", "customer_note"]), "\(tables)")
            #expect(answer.text.contains(payment.impUID) && answer.text.contains("called"))
            for others in [other.impUID, "bob", "a-supporter"] { #expect(!answer.text.contains(others), "\(others)") }
            #expect(try await service.ask("/v1/users/nobody/export").text == "{\"rows\": 0}\n")
        }
    }

    @Test func `support reads everybody's coins and changes nothing, and nobody else finds purchases`() async throws {
        try await House.open { house, gateway, service in
            let paths = [
                "/v1/purchases?imp_uid=imp_1", "/v1/purchases/1", "/v1/users/ann/receipts", "/v1/users/ann/orders",
                "/v1/search?name=ann", "/v1/users/ann/timeline", "/v1/users/ann/notes",
                "/v1/users/ann/export",
            ]
            for path in paths {
                for token in [Token.user("ann"), Token.service(), Token.finance()] {
                    let refused = try await service.get(path, as: token)
                    #expect(refused.status == 403 && refused.json["required_scope"] == "support", "\(path): \(refused)")
                }
            }
            #expect(try await service.ask("/v1/users/ann/balance").status == 200)
            let spend = try await service.post(
                "/v1/users/ann/spends", #"{"coins": 1}"#, key: "k", as: Token.support())
            #expect(spend.status == 403 && spend.json["required_scope"] == "service:write", "\(spend)")
            #expect(try await service.get("/v1/findings", as: Token.support()).status == 403)
        }
    }
}

extension Service {
    /// Asks as customer support.
    fileprivate func ask(_ path: String) async throws -> Answer { try await get(path, as: Token.support()) }
}
