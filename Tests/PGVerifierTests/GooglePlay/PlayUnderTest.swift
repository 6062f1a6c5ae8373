import OutboundHTTP
import TestSupport

@testable import PGVerifier

/// The gateway with a script for each of Google's hosts.
struct PlayUnderTest {
    let api: ScriptedGateway
    let tokens: ScriptedGateway
    let keys: ScriptedGateway
    let timing = InstantTiming()
    let play: GooglePlay

    init(
        _ api: [ScriptedGateway.Step], tokens: [ScriptedGateway.Step] = [PlayHouse.accessToken()],
        keys: [ScriptedGateway.Step]? = nil, limits: GatewayLimits = GatewayLimits()
    ) throws {
        self.api = ScriptedGateway(api)
        self.tokens = ScriptedGateway(tokens)
        self.keys = ScriptedGateway(try keys ?? [PlayHouse.keys()])
        play = GooglePlay(
            configuration: try PlayHouse.configuration(limits: limits),
            transport: Hosts(api: self.api, tokens: self.tokens, keys: self.keys), logger: .quiet,
            timing: timing.timing)
    }

    init(_ api: ScriptedGateway.Step...) throws {
        try self.init(api)
    }

    /// What the gateway says of the purchase.
    func payment() async throws -> GatewayPayment { try await play.payment(for: try Self.receipt) }

    /// The requests to the API so far: method, and path after the app.
    var lines: [String] {
        api.requests.map { $0.line.replacing("/androidpublisher/v3/applications/\(PlayHouse.packageName)", with: "") }
    }

    /// Why a notification is refused; nil if it is not.
    func refusal(
        _ bearer: String?, _ body: [UInt8] = PlayHouse.push(PlayHouse.voided)
    ) async throws -> GooglePlayPushError? {
        do throws(GooglePlayPushError) {
            _ = try await play.push?.notification(authorization: bearer, body: body)
            return nil
        } catch {
            return error
        }
    }

    static var token: PurchaseToken {
        get throws { try PurchaseToken(PlayHouse.token) }
    }

    static var receipt: Receipt {
        get throws { .googlePlay(try token) }
    }

    /// Sends a request to the host that its address names.
    private struct Hosts: HTTPTransport {
        let api: ScriptedGateway
        let tokens: ScriptedGateway
        let keys: ScriptedGateway

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            switch request.url.text {
            case "https://oauth2.googleapis.com/token": try await tokens.send(request)
            case "https://www.googleapis.com/oauth2/v3/certs": try await keys.send(request)
            case _ where request.url.host == "androidpublisher.googleapis.com": try await api.send(request)
            default: throw TransportError(.invalidRequest, "no host of Google's")
            }
        }
    }
}
