import Crypto
import CryptoExtras
import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayPushTests {
    @Test func `a push with Google's token is a notification`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let notification = try await test.play.push?.notification(
            authorization: try PlayHouse.bearer(), body: PlayHouse.push(PlayHouse.voided))
        #expect(notification?.id == "136969346945" && notification?.packageName == PlayHouse.packageName)
        #expect(test.keys.requests.map(\.line) == ["GET /oauth2/v3/certs"])
    }

    @Test(
        arguments: [
            ("iss", #""https://accounts.example.com""#, GooglePlayPushError.Code.anotherIssuer),
            ("iss", #""accounts.google.com""#, .anotherIssuer), ("iss", nil, .anotherIssuer),
            ("aud", #""https://shop.example.com/webhooks/other""#, .anotherAudience), ("aud", nil, .anotherAudience),
            ("aud", #"["https://shop.example.com/webhooks/google-play"]"#, .anotherAudience),
            ("email", #""someone@other.iam.gserviceaccount.com""#, .anotherSender), ("email", nil, .anotherSender),
            ("email", #""PUSHER@shop.iam.gserviceaccount.com""#, .anotherSender),
            ("email_verified", "false", .anotherSender), ("email_verified", nil, .anotherSender),
            ("email_verified", #""true""#, .anotherSender), ("exp", "1794713580", .untimely), ("exp", nil, .untimely),
            ("exp", #""1794717200""#, .untimely), ("exp", "1e300", .untimely),
            ("exp", "99999999999999999999", .untimely),
            ("exp", "-9223372036854775808", .untimely), ("iat", "1794713701", .untimely), ("iat", nil, .untimely),
            ("iat", "9223372036854775807", .untimely),
        ] as [(String, String?, GooglePlayPushError.Code)])
    func `a token with another claim is refused`(
        name: String, value: String?, code: GooglePlayPushError.Code
    ) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        #expect(try await test.refusal(try PlayHouse.bearer([name: value]))?.code == code)
    }

    @Test func `a token is valid until its end, with a minute for the clocks`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        for claims in [["exp": "1794713581"], ["iat": "1794713700"], ["exp": "9223372036854775807"]] {
            #expect(try await test.refusal(try PlayHouse.bearer(claims.mapValues { $0 })) == nil)
        }
    }

    @Test(arguments: [
        #"{"alg":"RS256","kid":"key-2"}"#, #"{"alg":"RS256"}"#, #"{"alg":"none","kid":"key-1"}"#,
        #"{"alg":"HS256","kid":"key-1"}"#, #"{"alg":"RS384","kid":"key-1"}"#, #"{"alg":"rs256","kid":"key-1"}"#,
        #"{"kid":"key-1"}"#, #"{"alg":"RS256","kid":"key-1","crit":["exp"]}"#,
    ])
    func `a token of another algorithm, or of no key of Google's, is refused`(header: String) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        #expect(try await test.refusal(try PlayHouse.bearer(header: header))?.code == .badSignature)
    }

    @Test func `a token that somebody else signed is refused`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let forged = try PlayHouse.bearer(key: PlayHouse.strangersKey.get())
        #expect(try await test.refusal(forged)?.code == .badSignature)
        // The public key as a shared secret.
        let header = Data(#"{"alg":"HS256","kid":"key-1"}"#.utf8).base64URL
        let claims = try PlayHouse.bearer().split(separator: ".")[1]
        let secret = SymmetricKey(data: Data(try PlayHouse.key.get().publicKey.pemRepresentation.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(header).\(claims)".utf8), using: secret)
        #expect(
            try await test.refusal("Bearer \(header).\(claims).\(Data(code).base64URL)")?.code == .badSignature)
    }

    @Test func `a token that was changed is refused`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let parts = try PlayHouse.bearer().split(separator: ".").map(String.init)
        let other = try PlayHouse.bearer(["sub": #""1""#]).split(separator: ".").map(String.init)
        for changed in [[parts[0], other[1], parts[2]], [parts[0], parts[1], other[2]], [parts[0], parts[1], ""]] {
            #expect(try await test.refusal(changed.joined(separator: "."))?.code == .badSignature)
        }
    }

    @Test(arguments: [
        "Bearer ", "Bearer a.b", "Bearer a.b.c", "Bearer ..", "Bearer \(String(repeating: "a", count: 9000))",
    ])
    func `what is no token is refused`(bearer: String) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        #expect(try await test.refusal(bearer)?.code == .malformedToken)
        #expect(test.keys.requests.isEmpty)
    }

    @Test func `two claims of one name are refused`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let twice = "\"\(PlayHouse.sender)\",\"email\":\"other@example.com\""
        #expect(try await test.refusal(try PlayHouse.bearer(["email": twice]))?.code == .malformedToken)
    }

    @Test func `a request without a token is refused`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        for header in [nil, "", "Basic YTpi", try PlayHouse.bearer().replacing("Bearer ", with: "")] {
            #expect(try await test.refusal(header)?.code == .missingToken)
        }
    }

    @Test(
        arguments: [
            #""projects/shop/subscriptions/other""#, #""projects/other/subscriptions/play""#, nil, "7",
        ] as [String?])
    func `a message of another subscription is refused`(subscription: String?) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let body = PlayHouse.push(PlayHouse.voided, ["subscription": subscription])
        #expect(try await test.refusal(try PlayHouse.bearer(), body)?.code == .anotherSubscription)
    }

    @Test func `a notification about another app is refused`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let body = PlayHouse.push(PlayHouse.voided, data: ["packageName": #""com.example.other""#])
        #expect(try await test.refusal(try PlayHouse.bearer(), body)?.code == .anotherApp)
    }

    @Test func `without a subscription nothing is verified`() throws {
        var configuration = try PlayHouse.configuration()
        configuration.push = nil
        let play = GooglePlay(
            configuration: configuration, transport: ScriptedGateway(.fail(.unreachable)), logger: .quiet)
        #expect(play.push == nil)
    }
}

// MARK: - Keys

@Suite(.timeLimit(.minutes(20))) struct GoogleKeysTests {
    @Test func `the keys are read once, and again when Google says so`() async throws {
        let test = try PlayUnderTest(
            [PlayHouse.purchase()], keys: [try PlayHouse.keys(headers: "Cache-Control: public, max-age=100\r\n")])
        let bearer = try PlayHouse.bearer()
        for _ in 0..<3 { #expect(try await test.refusal(bearer) == nil) }
        test.timing.advance(by: .seconds(99))
        #expect(try await test.refusal(bearer) == nil)
        #expect(test.keys.requests.count == 1)
        test.timing.advance(by: .seconds(1))
        #expect(try await test.refusal(bearer) == nil)
        #expect(test.keys.requests.count == 2)
    }

    @Test(arguments: ["", "Cache-Control: no-store\r\n", "Cache-Control: max-age=x\r\n"])
    func `without a word of Google's keys are kept for an hour`(headers: String) async throws {
        let test = try PlayUnderTest([PlayHouse.purchase()], keys: [try PlayHouse.keys(headers: headers)])
        let bearer = try PlayHouse.bearer()
        #expect(try await test.refusal(bearer) == nil)
        test.timing.advance(by: .seconds(3599))
        #expect(try await test.refusal(bearer) == nil)
        #expect(test.keys.requests.count == 1)
        test.timing.advance(by: .seconds(1))
        #expect(try await test.refusal(bearer) == nil)
        #expect(test.keys.requests.count == 2)
    }

    @Test func `a new key is found, and made-up ones do not have the keys read at will`() async throws {
        let test = try PlayUnderTest(
            [PlayHouse.purchase()], keys: [try PlayHouse.keys(), try PlayHouse.keys(["key-1", "key-2"])])
        #expect(try await test.refusal(try PlayHouse.bearer()) == nil)
        let new = try PlayHouse.bearer(header: #"{"alg":"RS256","kid":"key-2"}"#)
        #expect(try await test.refusal(new)?.code == .badSignature)
        #expect(test.keys.requests.count == 1)
        test.timing.advance(by: .seconds(10))
        #expect(try await test.refusal(new) == nil)
        for number in 3..<20 {
            let made = try PlayHouse.bearer(header: #"{"alg":"RS256","kid":"key-\#(number)"}"#)
            #expect(try await test.refusal(made)?.code == .badSignature)
        }
        #expect(test.keys.requests.count == 2)
    }

    @Test func `a key that Google withdrew verifies nothing`() async throws {
        let test = try PlayUnderTest(
            [PlayHouse.purchase()], keys: [try PlayHouse.keys(), try PlayHouse.keys(["key-2"])])
        #expect(try await test.refusal(try PlayHouse.bearer()) == nil)
        test.timing.advance(by: .seconds(3600))
        #expect(try await test.refusal(try PlayHouse.bearer())?.code == .badSignature)
    }

    @Test(arguments: [
        ScriptedGateway.Step.fail(.timeout), .answer(500, ""), .answer(200, "{}"), .answer(200, #"{"keys":[]}"#),
        .answer(200, #"{"keys":[{"kid":"key-1","kty":"RSA","n":"AQAB","e":"AQAB"}]}"#),
    ])
    func `while the keys can't be read, the request is wanted again`(step: ScriptedGateway.Step) async throws {
        let test = try PlayUnderTest([PlayHouse.purchase()], keys: [step, try PlayHouse.keys()])
        let bearer = try PlayHouse.bearer()
        for _ in 0..<2 {
            let error = try await test.refusal(bearer)
            #expect(error?.code == .keysUnavailable && error?.isRetryable == true)
        }
        #expect(test.keys.requests.count == 1)
        test.timing.advance(by: .seconds(10))
        #expect(try await test.refusal(bearer) == nil)
    }

    @Test func `keys that are known stay valid for a day while new ones can't be read`() async throws {
        let test = try PlayUnderTest([PlayHouse.purchase()], keys: [try PlayHouse.keys(), .fail(.unreachable)])
        let bearer = try PlayHouse.bearer()
        #expect(try await test.refusal(bearer) == nil)
        test.timing.advance(by: .seconds(86_399))
        #expect(try await test.refusal(bearer) == nil)
        #expect(test.keys.requests.count == 2)
        test.timing.advance(by: .seconds(1))
        #expect(try await test.refusal(bearer)?.code == .keysUnavailable)
    }

    @Test func `requests that come at once wait for one reading`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        let bearer = try PlayHouse.bearer()
        try await withThrowingTaskGroup(of: GooglePlayPushError?.self) { group in
            for _ in 0..<20 { group.addTask { try await test.refusal(bearer) } }
            for try await error in group { #expect(error == nil) }
        }
        #expect(test.keys.requests.count == 1)
    }

    @Test func `a key of another use is skipped`() async throws {
        for member in [#""use":"sig""#, #""alg":"RS256""#, #""kty":"RSA""#] {
            guard case .answer(_, let text, _) = try PlayHouse.keys() else { return }
            let other = text.replacing(member, with: member.replacing(#":""#, with: #":"x"#))
            let test = try PlayUnderTest([PlayHouse.purchase()], keys: [.answer(200, other)])
            #expect(try await test.refusal(try PlayHouse.bearer())?.code == .keysUnavailable)
        }
    }
}
