import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Products of stores and the tokens of users, over HTTP.
@Suite(.timeLimit(.minutes(20))) struct StoresServiceTests {
    @Test func `finance says what a store's product is, and a user's app gets its token`() async throws {
        try await House.open { house, _, service in
            let finance = Token.make(sub: "kim", scope: "finance")
            func put(_ path: String, _ body: String, as token: String) async throws -> Answer {
                try await service.send(
                    .put, "/v1/store-products/\(path)", as: token, headers: [("Content-Type", "application/json")],
                    body: body)
            }
            let body = #"{"product": "coins_100"}"#
            let set = try await put("app-store/com.example.coins/100%20coins", body, as: finance)
            #expect(set.status == 200 && set.json["product_id"] == "100 coins", "\(set)")
            #expect(set.json["set_by"] == "kim" && set.json["store"] == "app-store", "\(set)")
            #expect(try await put("app-store/com.example.coins/100%20coins", body, as: finance).json == set.json)
            let listed = try await service.get("/v1/store-products", as: finance)
            #expect(listed.json["store_products"].elements == [set.json], "\(listed)")

            let unknown = try await put("app-store/com.example.coins/c", #"{"product": "coins_7"}"#, as: finance)
            #expect(unknown.status == 422 && unknown.code == "product_not_found", "\(unknown)")
            for path in ["portone-v1/com.example.coins/c", "app-store/com.example.coins/a%00b"] {
                let refused = try await put(path, body, as: finance)
                #expect(refused.status == 400 && refused.code == "invalid_request", "\(path): \(refused)")
            }
            let reading = Token.make(sub: "r", scope: "finance:read")
            #expect(try await put("app-store/com.example.coins/c", body, as: reading).status == 403)

            let account = try await service.get("/v1/me/store-account", as: Token.make(sub: "ann", scope: "user"))
            let token = try #require(account.json["app_account_token"].text)
            #expect(UUID(uuidString: token) != nil && account.json["obfuscated_account_id"].text == token, "\(account)")
            let again = try await service.get("/v1/me/store-account", as: Token.make(sub: "ann", scope: "user"))
            #expect(again.json == account.json)
            let other = try await service.get("/v1/me/store-account", as: Token.make(sub: "bob", scope: "user"))
            #expect(other.json["app_account_token"].text != token)
            #expect(try await service.get("/v1/me/store-account", as: finance).status == 403)
            try await house.expectSound()
        }
    }
}
