import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct TokenTests {
    @Test func `the same token comes again, and is given five minutes in its last`() {
        var tokens = TokenRegister()
        tokens.issue(now: 1000)
        let first = tokens.token
        #expect(first.count == 40 && first.allSatisfy(\.isHexDigit))
        #expect(tokens.expiresAt == 2800)
        tokens.issue(now: 2740)
        #expect(tokens.token == first && tokens.expiresAt == 2800)
        tokens.issue(now: 2741)
        #expect(tokens.token == first && tokens.expiresAt == 3100)
        tokens.issue(now: 3099)
        #expect(tokens.token == first && tokens.expiresAt == 3400)
        #expect(tokens.isValid(first, now: 3399))
        #expect(!tokens.isValid(first, now: 3400))
        tokens.issue(now: 3400)
        #expect(tokens.token != first && tokens.expiresAt == 5200)
        #expect(!tokens.isValid(first, now: 3400))
        #expect(!TokenRegister().isValid("", now: 0))
    }

    @Test func `credentials come as JSON or as a form, with a slash at the end or without`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let json = try await sandbox.send(.post, "/users/getToken", json: SandboxUnderTest.credentials)
            let form = try await sandbox.send(
                .post, "/users/getToken/", form: "imp_key=sandbox%2Dkey&imp_secret=sandbox-secret")
            #expect(json.status == 200 && json.text == form.text)
            #expect(json.contentType == "application/json; charset=UTF-8")
            #expect(json["response"]["now"].integer == 1_700_000_000)
            #expect(json["response"]["expired_at"].integer == 1_700_001_800)
        }
    }

    @Test func `missing and wrong credentials are refused in Korean`() async throws {
        try await SandboxUnderTest.run { sandbox in
            for body in ["{}", #"{"imp_key": "sandbox-key"}"#, "", "[]", "nonsense"] {
                let answer = try await sandbox.send(.post, "/users/getToken", json: body)
                #expect(answer.status == 400)
                #expect(answer.message == "imp_key, imp_secret 파라메터가 누락되었습니다.")
            }
            let wrong = try await sandbox.send(
                .post, "/users/getToken", json: #"{"imp_key": "sandbox-key", "imp_secret": "x"}"#)
            #expect(wrong.status == 401)
            #expect(wrong.code == .int(-1))
            #expect(wrong.message == "인증에 실패하였습니다. API키와 secret을 확인하세요.")
            #expect(wrong["response"] == .null)
        }
    }

    @Test func `a token is taken bare and as Bearer until it expires`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let impUID = try await sandbox.pay()
            let token = try await sandbox.token()["access_token"].text
            let path = "/payments/\(impUID)"
            for authorization in [token, "Bearer " + token] {
                let answer = try await sandbox.send(.get, path, authorization: authorization)
                #expect(answer.status == 200)
            }
            sandbox.clock.advance(by: 1800)
            for authorization in [token, "Bearer " + token, "Bearer x", "", nil] {
                let answer = try await sandbox.send(.get, path, authorization: authorization)
                #expect(answer.status == 401 && answer.message == "Unauthorized" && answer.code == .int(-1))
            }
        }
    }
}
