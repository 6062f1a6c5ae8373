import TestSupport
import Testing

@testable import OutboundHTTP
@testable import PGVerifier

/// The gateway's certificate is all that tells the gateway from whoever is in between.
@Suite(.timeLimit(.minutes(20))) struct TLSTests {
    /// A gateway asked over TLS, and what it gets that nobody else may read.
    enum API: CaseIterable, Sendable {
        case v1
        case v2
    }

    @Test func `a gateway whose certificate is good gets the secret`() async throws {
        let house = try TLSHouse()
        for api in API.allCases {
            let server = try await house.serve(.good)
            let error = await ask(api, server, trusting: house.authority)
            #expect(error?.code != .untrusted && error?.code != .unreachable, "\(api): \(String(describing: error))")
            #expect(server.asked.contains(Self.secret), "\(api): \(server.asked)")
        }
    }

    @Test func `a gateway whose certificate is not good gets nothing`() async throws {
        let house = try TLSHouse()
        for certificate in [TLSHouse.Certificate.expired, .otherHost, .unknownAuthority] {
            for api in API.allCases {
                let server = try await house.serve(certificate)
                let error = await ask(api, server, trusting: house.authority)
                #expect(error?.code == .untrusted && error?.isDefinite == false, "\(certificate), \(api)")
                try await expectRefused(server, "\(certificate), \(api)")
            }
        }
    }

    @Test func `an authority that was not named is not trusted, and one that was replaces the system's`() async throws {
        let house = try TLSHouse()
        for api in API.allCases {
            let server = try await house.serve(.good)
            #expect(await ask(api, server, trusting: nil)?.code == .untrusted, "\(api)")
            try await expectRefused(server, "\(api)")
        }
    }

    @Test func `a gateway that sends us to another host is not followed there`() async throws {
        let house = try TLSHouse()
        let other = try await house.serve(.good)
        let cases = [301, 302, 307, 308].flatMap { status in API.allCases.map { (status, $0) } }
        // At the same time, for each server waits a moment for more.
        _ = try await together(cases.count) { number in
            let (status, api) = cases[number]
            let server = try await house.serve(
                .good,
                answer: "HTTP/1.1 \(status) Moved\r\nLocation: https://localhost:\(other.port)/users/getToken\r\n"
                    + "Content-Length: 0\r\n\r\n")
            #expect(await ask(api, server, trusting: house.authority)?.code == .redirect, "\(status), \(api)")
            #expect(server.asked.contains(Self.secret), "\(status), \(api)")
        }
        #expect(other.asked.isEmpty && other.refusals == 0)
    }

    private static let secret = "very-secret-of-the-shop"

    /// Asks the server for a payment, as if it were the gateway.
    private func ask(_ api: API, _ server: TLSServer, trusting authority: String?) async -> GatewayError? {
        let transport = CurlTransport(.init(authoritiesFile: authority))
        defer { transport.shutdown() }
        var limits = GatewayLimits.unreachable
        limits.maxAttempts = 1
        let timing = InstantTiming().timing
        do {
            let url = try HTTPURL("https://localhost:\(server.port)")
            switch api {
            case .v1:
                let gateway = PortOneV1(
                    configuration: PortOneV1Configuration(
                        url: url, key: "key", secret: Secret(Self.secret), limits: limits),
                    transport: transport, logger: .quiet, timing: timing)
                _ = try await gateway.payment(for: .v1(impUID: ImpUID("imp_1"), merchantUID: MerchantUID("order-1")))
            case .v2:
                let gateway = PortOneV2(
                    configuration: PortOneV2Configuration(
                        url: url, secret: Secret(Self.secret), storeID: "store", limits: limits),
                    transport: transport, timing: timing)
                _ = try await gateway.payment(for: .v2(paymentID: PaymentID("order-1")))
            }
            return nil
        } catch {
            return error as? GatewayError
        }
    }

    /// A request would come after the handshake: it is over when the server says so.
    private func expectRefused(_ server: TLSServer, _ what: String) async throws {
        try await eventually("the server is refused or asked") { server.refusals > 0 || !server.asked.isEmpty }
        #expect(server.refusals > 0 && server.asked.isEmpty, "\(what): \(server.asked)")
    }
}
