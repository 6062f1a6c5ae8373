import OutboundHTTP
import PGVerifier
import Testing

@Suite(.timeLimit(.minutes(20))) struct PortOneV1AnswerTests {
    @Test func `missing, null, zero and empty all mean that the gateway didn't say`() async throws {
        let bare = #""imp_uid":"imp_1","merchant_uid":"o","status":"paid","amount":1000,"currency":"KRW""#
        let empty =
            #","cancel_amount":null,"sandbox":null,"paid_at":0,"started_at":null,"pay_method":"","pg_tid":null,"new":{}"#
        for members in [bare, bare + empty] {
            let payment = try await ask(200, success(members)).get()
            #expect(payment.cancelledAmount == 0)
            #expect(payment.isTest == nil)
            #expect(payment.startedAt == nil && payment.paidAt == nil)
            #expect(payment.payMethod == nil && payment.pgTransactionID == nil)
        }
    }

    @Test func `a status of the future is unknown, not an error`() async throws {
        let payment = try await ask(200, success(paid.replacing("\"paid\"", with: "\"pending\""))).get()
        #expect(payment.status == .unknown("pending"))
    }

    @Test(arguments: [
        (#""amount":1000"#, #""amount":1000.5"#), (#""amount":1000"#, #""amount":"1000""#),
        (#""amount":1000"#, #""amount":null"#), (#""amount":1000"#, #""amount":-1000"#),
        (#""amount":1000"#, #""amount":1e30"#), (#""amount":1000"#, #""amount":1000,"amount":1"#),
        (#""amount":1000,"#, ""), (#""currency":"KRW""#, #""currency":null"#),
        (#""currency":"KRW""#, #""currency":"WON!""#), (#""status":"paid","#, ""),
        (#""imp_uid":"imp_1""#, #""imp_uid":"imp_2""#), (#""imp_uid":"imp_1""#, #""imp_uid":null"#),
        (#""merchant_uid":"o""#, #""merchant_uid":"""#), (#""cancel_amount":0"#, #""cancel_amount":0.5"#),
    ])
    func `a payment whose identity or money can't be read is no answer`(old: String, new: String) async throws {
        let error = await failure(200, success(paid.replacing(old, with: new)))
        #expect([.malformedAnswer, .unreadablePayment].contains(error?.code))
        #expect(error?.isDefinite == false)
    }

    @Test func `an amount in an unknown currency is not read, and the currency is named`() async {
        let error = await failure(200, success(paid.replacing("KRW", with: "ZZZ")))
        #expect(error?.code == .unreadablePayment && error?.message == "the payment's currency ZZZ is unknown")
        #expect(error.map(verdict(after:)) == .wait(.gatewayUnavailable))
    }

    @Test(arguments: [
        "", "null", "[]", "<html>", #"{"code":0}"#, #"{"code":"0","message":null,"response":{}}"#,
        #"{"code":0.0,"message":null,"response":{}}"#, #"{"code":0,"message":null,"response":null}"#,
        #"{"code":0,"message":null,"response":[]}"#, #"{"code":0,"message":null,"response":{"imp_uid":"imp_1""#,
    ])
    func `a body that isn't the envelope of a payment is no answer`(body: String) async {
        #expect(await failure(200, body)?.code == .malformedAnswer)
    }

    @Test func `http 200 with a code that isn't 0 is a refusal, and not definite`() async {
        let error = await failure(200, #"{"code":-1,"message":"PG사 오류","response":null}"#)
        #expect(error?.code == .refused)
        #expect(error?.gatewayCode == -1)
        #expect(error?.message == "PG사 오류")
        #expect(error?.isDefinite == false)
    }

    @Test(arguments: [
        "<html>404</html>", "", #"{"message":"no Route matched"}"#, #"{"code":404,"message":"Not Found"}"#,
        #"{"code":0,"message":null,"response":null}"#,
    ])
    func `a 404 without the gateway's envelope is unknown, not 'not found'`(body: String) async {
        #expect(await failure(404, body)?.isDefinite == false)
    }

    @Test func `success in the envelope doesn't count under another status`() async {
        for status in [201, 202, 400, 403, 500, 502] {
            #expect(await failure(status, success(paid))?.isDefinite == false)
        }
    }

    @Test func `messages are cut and kept on one line, and no secret is in an error`() async {
        let error = await failure(
            500, #"{"code":-1,"message":"\#(String(repeating: "가", count: 5000))","response":null}"#)
        #expect(error?.message.count == 200)
        #expect(error?.description.contains("the-secret") == false)
        let forged = await failure(500, #"{"code":-1,"message":"a\r\nlevel=info b","response":null}"#)
        #expect(forged?.message == "a  level=info b")
    }

    @Test func `the token is sent as documented, and test payments aren't asked for`() async throws {
        let transport = ScriptedTransport { request in
            if request.method == .post {
                let body = String(decoding: request.body, as: UTF8.self)
                #expect(body == #"{"imp_key":"k\"ey","imp_secret":"the-secret"}"#)
                let token = #"{"code":0,"message":null,"response":{"access_token":"abc","now":1,"expired_at":1801}}"#
                return HTTPResponse(status: 200, body: Array(token.utf8))
            }
            #expect(request.url.text == "https://api.iamport.kr/payments/imp_1")
            #expect(request.headers.contains { $0.name == "Authorization" && $0.value == "Bearer abc" })
            return HTTPResponse(status: 200, body: Array(success(paid).utf8))
        }
        _ = try await client(transport, key: "k\"ey").payment(for: try receipt)
    }

    @Test(arguments: [
        "{}", #"{"access_token":"","now":1,"expired_at":1801}"#,
        #"{"access_token":"a\r\nb","now":1,"expired_at":1801}"#,
        #"{"access_token":"abc","now":"1","expired_at":1801}"#, #"{"access_token":"abc","expired_at":1801}"#,
        #"{"access_token":"abc","now":-9223372036854775808,"expired_at":9223372036854775807}"#,
    ])
    func `a token that can't be used is no token`(token: String) async throws {
        let transport = ScriptedTransport { request in
            #expect(request.method == .post)
            return HTTPResponse(status: 200, body: Array(#"{"code":0,"message":null,"response":\#(token)}"#.utf8))
        }
        let error = await #expect(throws: GatewayError.self) {
            try await client(transport).payment(for: try receipt)
        }
        #expect(error?.code == .malformedAnswer)
    }
}

private let paid =
    #""imp_uid":"imp_1","merchant_uid":"o","status":"paid","amount":1000,"currency":"KRW","cancel_amount":0"#

private func success(_ members: String) -> String { #"{"code":0,"message":null,"response":{\#(members)}}"# }

private var receipt: Receipt {
    get throws { .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o")) }
}

private func client(_ transport: ScriptedTransport, key: Secret = "key") throws -> PortOneV1 {
    PortOneV1(
        configuration: PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: key, secret: "the-secret",
            limits: GatewayLimits(totalTimeout: .seconds(60))),
        transport: transport, logger: .quiet, timing: InstantTiming().timing)
}

private func ask(_ status: Int, _ body: String) async -> Result<GatewayPayment, any Error> {
    do {
        return .success(try await client(.payment(status: status, body)).payment(for: try receipt))
    } catch {
        return .failure(error)
    }
}

private func failure(_ status: Int, _ body: String) async -> GatewayError? {
    guard case .failure(let error) = await ask(status, body) else { return nil }
    return error as? GatewayError
}
