import Foundation
import OutboundHTTP
import TestSupport
import Testing

@testable import PGVerifier

/// What one harmless request tells of a gateway.
@Suite(.timeLimit(.minutes(20))) struct GatewayProbeTests {
    @Test func `the sandbox accepts its keys, and reports its time`() async throws {
        try await GatewayUnderTest.run { gateway in
            let v1 = PortOneV1Configuration(url: gateway.url, key: "sandbox-key", secret: "sandbox-secret")
            // An answer that comes late tells the offset less exactly.
            try await eventually("it is accepted, by this machine's clock") {
                let accepted = await v1.probe(over: gateway.transport)
                #expect(accepted.failure == nil, "\(accepted)")
                return abs(accepted.clockOffset ?? 99) < 3
            }
            var wrong = v1
            wrong.secret = "wrong"
            #expect(await wrong.probe(over: gateway.transport).failure?.code == .unauthorized)

            let v2 = PortOneV2Configuration(url: gateway.url, secret: "sandbox-v2-secret", storeID: "store-sandbox")
            let found = await v2.probe(over: gateway.transport)
            #expect(found.failure == nil && found.clockOffset != nil, "\(found)")
            var others = v2
            others.storeID = "store-other"
            #expect(await others.probe(over: gateway.transport).failure?.code == .unauthorized)
            var stranger = v2
            stranger.secret = "wrong"
            #expect(await stranger.probe(over: gateway.transport).failure?.code == .unauthorized)
            // Nobody's refresh token ends.
            let logins = try await gateway.journal("/login")
            #expect(logins.isEmpty)
        }
    }

    @Test func `an error page is no answer, and a clock is read all the same`() async throws {
        let transport = ScriptedTransport { _ in
            HTTPResponse(
                status: 502, headers: HTTPHeaders(raw: Array("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".utf8)), body: [])
        }
        let v2 = PortOneV2Configuration(url: try HTTPURL("https://gateway.example"), secret: "s", storeID: "store")
        let probe = await v2.probe(over: transport)
        #expect(probe.failure?.code == .serverError)
        #expect((probe.clockOffset ?? 0) < -86_400 * 365 * 30)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun, 31 Feb 2024 00:00:00 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
        ] as [(String, Double?)])
    func `a date is read in the form that servers send`(text: String, seconds: Double?) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds)
    }
}
