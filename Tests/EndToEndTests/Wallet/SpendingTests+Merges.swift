import TestSupport
import Testing

/// Merges of users.
extension SpendingTests {
    @Test func `a merge answers with the balance after the other's coins paid the debt`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            #expect(try await service.present(payment, by: "ann").status == 201)
            #expect(try await service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "s").status == 201)
            try await gateway.change(payment, to: "cancelled")
            #expect(try await service.tellV1(Hooks.v1(payment, "cancelled")).status == 200)
            try await eventually("ann owes coins") {
                try await service.get("/v1/users/ann/balance", as: Token.service()).json["debt"] == 60
            }
            _ = try await service.post("/v1/users/bob/grants", #"{"coins": 100, "reason": "x"}"#, key: "g")
            let body = #"{"into": "bob", "reason": "two sign-ins"}"#
            let merged = try await service.post("/v1/users/ann/merge", body, key: "m")
            #expect(merged.status == 201 && merged.json["merge"]["debt"] == 60, "\(merged)")
            #expect(merged.json["balance"]["debt"] == 0 && merged.json["balance"]["total"] == 40, "\(merged)")
            try await house.expectSound()
        }
    }

    @Test func `a merged user is the other one at every door, and responses say so`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "s")
            let before = try await service.coins()
            _ = try await service.post("/v1/users/bob/grants", #"{"coins": 5, "reason": "x"}"#, key: "g")
            let body = #"{"into": "bob", "reason": "two sign-ins"}"#
            let merged = try await service.post("/v1/users/ann/merge", body, key: "m")
            #expect(merged.status == 201 && merged.json["merge"]["former_id"] == "ann", "\(merged)")
            #expect(merged.json["balance"]["total"].integer == sure(before) + 5)
            let again = try await service.post("/v1/users/ann/merge", body, key: "m")
            #expect(again.json == merged.json && again.headers["Idempotent-Replayed"] == "true", "\(again)")
            for (path, token) in [("/v1/users/ann/balance", Token.service()), ("/v1/me/balance", Token.user("ann"))] {
                let balance = try await service.get(path, as: token)
                #expect(balance.json["user"] == "bob" && balance.headers["Merged-Into"] == "bob", "\(balance)")
            }
            #expect(try await service.get("/v1/users/bob/balance", as: Token.service()).headers["Merged-Into"] == nil)
            let repeated = try await service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "s")
            #expect(repeated.json == spent.json && repeated.headers["Idempotent-Replayed"] == "true", "\(repeated)")
            // A payment that the old id presents, and its refund, are the other's.
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let purchases = try await service.get("/v1/users/bob/purchases", as: Token.service())
            #expect(purchases.json["purchases"].elements.count == 2, "\(purchases)")
            let spend = sure(spent.json["spend"]["journal_entry_id"].integer)
            let back = try await service.post("/v1/spends/\(spend)/reversals", #"{"coins": 4}"#, key: "r")
            #expect(back.status == 201 && back.json["balance"]["user"] == "bob", "\(back)")
            for (path, request, code) in [
                ("/v1/users/ann/merge", body, "user_merged"),
                ("/v1/users/bob/merge", #"{"into": "ann", "reason": "x"}"#, "user_merged"),
                ("/v1/users/bob/merge", #"{"into": "bob", "reason": "x"}"#, "invalid_request"),
                ("/v1/users/bob/merge", #"{"into": "zed", "reason": "x"}"#, "user_unknown"),
            ] {
                let refused = try await service.post(path, request, key: "\(path) \(request)".filter { $0 != "\"" })
                #expect(refused.code == code, "\(refused)")
            }
            let statement = try await service.get("/v1/users/ann/statement?limit=100", as: Token.service())
            #expect(statement.json["entries"].elements.first?["kind"] == "spend_reversal", "\(statement)")
            try await house.expectSound()
        }
    }
}
