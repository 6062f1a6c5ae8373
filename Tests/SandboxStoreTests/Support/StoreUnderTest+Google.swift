import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxStore

/// A simulated Google Play, called as a shop's server and as a test would call it.
extension StoreUnderTest {
    // MARK: As a shop's server

    /// Calls the Google Play Developer API with a good token.
    func google(_ method: HTTPRequest.Method, _ path: String, json: String? = nil) async throws -> Answer {
        try await send(
            method, "/google/androidpublisher/v3/applications/com.example.coins/" + path, json: json,
            authorization: "Bearer " + (try await accessToken()))
    }

    func accessToken() async throws -> String { try await grant(try assertion())["access_token"].text }

    /// Asks the token endpoint.
    func grant(_ assertion: String, type: String = TokenRoutes.grantType) async throws -> Answer {
        let form = "grant_type=\(PercentEncoding.encode(type))&assertion=\(PercentEncoding.encode(assertion))"
        return try await client.execute(
            uri: "/google/token", method: .post, headers: [.contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: form)
        ) {
            Answer(
                status: $0.status.code, contentType: $0.headers[.contentType], text: String(buffer: $0.body))
        }
    }

    /// An assertion of the service account; `claims` and `header` replace members, or remove them where null.
    func assertion(
        header: [String: JSONValue] = [:], claims: [String: JSONValue] = [:], key: GoogleKey? = nil
    ) throws -> String {
        let now = Int(clock.now.timeIntervalSince1970)
        let parts = [
            ["alg": .string("RS256"), "typ": .string("JWT")].merging(header) { $1 },
            [
                "iss": .string(SandboxStoreConfiguration.Google().serviceAccount),
                "scope": .string("openid https://www.googleapis.com/auth/androidpublisher"),
                "aud": .string("https://oauth2.googleapis.com/token"), "iat": .int(now), "exp": .int(now + 3600),
            ].merging(claims) { $1 },
        ]
        let signed = parts.map { members in
            Base64URL.encode(Data(JSONValue.object(members.filter { $0.value != .null }).jsonText.utf8))
        }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try (key ?? GoogleKeys.serviceAccount).signature(of: signed))
    }

    /// The purchase as the API has it.
    func purchaseV2(_ token: String) async throws -> Answer {
        try await google(.get, "purchases/productsv2/tokens/\(token)")
    }

    /// Consumes or acknowledges.
    func act(_ verb: String, _ token: String, product: String = "coins_100") async throws -> Answer {
        try await google(.post, "purchases/products/\(product)/tokens/\(token):\(verb)")
    }

    // MARK: As a test

    /// Makes a purchase in Google Play, and returns its summary.
    func play(_ members: String = "") async throws -> JSONValue {
        let answer = try await control(
            .post, "google/purchases",
            members.contains(#""items""#)
                ? "{\(members)}" : #"{"product_id": "coins_100"\#(members.isEmpty ? "" : ", ")\#(members)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    func playChange(_ token: String, _ members: String) async throws -> Answer {
        try await control(.patch, "google/purchases/\(token)", "{\(members)}")
    }
}
