import Crypto
import CryptoExtras
import Foundation
import TestSupport
import Testing
import WireFormats

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayAccountTests {
    private static let found = [PlayHouse.purchase(), PlayHouse.order()]
    private static let expired = PlayHouse.refusal(401, "authError")

    @Test func `a token is asked for with what the account's key signs, and no more than Google's client says`()
        async throws
    {
        let test = try PlayUnderTest(Self.found)
        _ = try await test.payment()
        let request = try #require(test.tokens.requests.first)
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        let form = try #require(FormText.decodePairs(request.body))
        #expect(form.map(\.name) == ["grant_type", "assertion"])
        #expect(form[0].value == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let parts = form[1].value.split(separator: ".").map(String.init)
        #expect(
            try Self.json(parts[0])
                == .object(["alg": .string("RS256"), "kid": .string("account-key"), "typ": .string("JWT")]))
        #expect(
            try Self.json(parts[1])
                == .object([
                    "iss": .string("ledgerd@shop.iam.gserviceaccount.com"),
                    "scope": .string("https://www.googleapis.com/auth/androidpublisher"),
                    "aud": .string("https://oauth2.googleapis.com/token"), "iat": .number("1794713640"),
                    "exp": .number("1794717240"),
                ]))
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Self.bytes(parts[2]))
        let signed = Data((parts[0] + "." + parts[1]).utf8)
        #expect(
            try PlayHouse.key.get().publicKey.isValidSignature(
                signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5))
        #expect(test.api.requests.map { $0.header("Authorization") } == ["Bearer ya29.one", "Bearer ya29.one"])
    }

    @Test func `a token is kept until a minute before its end`() async throws {
        let test = try PlayUnderTest(
            Self.found + Self.found + Self.found, tokens: [PlayHouse.accessToken(), PlayHouse.accessToken("ya29.two")])
        _ = try await test.payment()
        test.timing.advance(by: .seconds(3500))
        _ = try await test.payment()
        #expect(test.tokens.requests.count == 1)
        test.timing.advance(by: .seconds(99))
        _ = try await test.payment()
        #expect(test.tokens.requests.count == 2)
        #expect(test.api.requests.last?.header("Authorization") == "Bearer ya29.two")
    }

    @Test func `a token that Google refuses is replaced once`() async throws {
        let test = try PlayUnderTest(
            [Self.expired] + Self.found, tokens: [PlayHouse.accessToken(), PlayHouse.accessToken("ya29.two")])
        _ = try await test.payment()
        #expect(
            test.api.requests.map { $0.header("Authorization") } == [
                "Bearer ya29.one", "Bearer ya29.two", "Bearer ya29.two",
            ])
        let never = try PlayUnderTest(Self.expired)
        #expect(await failure { try await never.payment() }?.code == .unauthorized)
        #expect(never.tokens.requests.count == 2 && never.api.requests.count == 2)
    }

    @Test func `a missing permission is no reason for another token, and no word about the purchase`() async throws {
        let test = try PlayUnderTest(PlayHouse.refusal(401, "permissionDenied"))
        for _ in 0..<3 {
            let error = await failure { try await test.payment() }
            #expect(error?.code == .unauthorized && error?.isDefinite == false && error?.isRetryable == true)
            #expect(error?.gatewayType == "permissionDenied")
        }
        #expect(test.tokens.requests.count == 1 && test.api.requests.count == 3)
    }

    @Test(arguments: [
        (ScriptedGateway.Step.answer(400, #"{"error":"invalid_grant"}"#), GatewayError.Code.unauthorized),
        (.answer(401, #"{"error":"invalid_client"}"#), .unauthorized), (.answer(429, ""), .rateLimited),
        (.answer(500, ""), .serverError), (.answer(302, ""), .redirect), (.answer(404, "<html>"), .malformedAnswer),
        (.answer(200, "{}"), .malformedAnswer), (.answer(200, #"{"access_token":"a"}"#), .malformedAnswer),
        (.answer(200, #"{"access_token":"a b","expires_in":3599}"#), .malformedAnswer),
        (.answer(200, #"{"access_token":"","expires_in":3599}"#), .malformedAnswer), (.fail(.timeout), .timeout),
    ])
    func `without a token nothing is sent`(step: ScriptedGateway.Step, code: GatewayError.Code) async throws {
        let test = try PlayUnderTest(Self.found, tokens: [step])
        let error = await failure { try await test.payment() }
        #expect(error?.code == code && error?.isDefinite == false)
        #expect(test.api.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("type", #""authorized_user""#), ("client_email", nil), ("private_key_id", nil), ("private_key", nil),
            ("private_key", #""-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n""#), ("token_uri", nil),
            ("token_uri", #""http://oauth2.googleapis.com/token""#), ("token_uri", #""token""#),
        ] as [(String, String?)])
    func `an account's file that can't be used is refused without being shown`(name: String, value: String?) throws {
        let file = try PlayHouse.account([name: value])
        let error = #expect(throws: UnusableSetting.self) { try GooglePlayAccount(json: file) }
        #expect(error?.description.contains("BEGIN") == false)
    }

    @Test func `what is no file of an account is refused`() {
        for text: Secret in ["", "[]", "{", #"{"type":"service_account"}"#] {
            #expect(throws: UnusableSetting.self) { try GooglePlayAccount(json: text) }
        }
    }

    private static func bytes(_ base64URL: String) -> Data {
        let text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data()
    }

    private static func json(_ base64URL: String) throws -> JSON { try JSONParser.parse([UInt8](bytes(base64URL))) }
}
