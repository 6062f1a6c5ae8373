import OutboundHTTP
import TestSupport

@testable import PGVerifier

/// The gateway with a house that signs, and a script for each environment's host.
struct StoreUnderTest {
    let house: AppStoreHouse
    let production: ScriptedGateway
    let sandbox: ScriptedGateway
    let timing = InstantTiming()
    let store: AppStore

    init(
        _ production: ScriptedGateway.Step..., sandbox: [ScriptedGateway.Step] = [.fail(.unreachable)],
        house: AppStoreHouse, environments: [AppStoreEnvironment] = AppStoreEnvironment.allCases
    ) throws {
        self.house = house
        self.production = ScriptedGateway(production)
        self.sandbox = ScriptedGateway(sandbox)
        store = AppStore(
            configuration: try house.configuration(environments: environments),
            transport: TwoHosts(production: self.production, sandbox: self.sandbox), timing: timing.timing)
    }

    static var id: TransactionID {
        get throws { try TransactionID("2000000123456789") }
    }

    /// Sends a request to the host that its address names.
    private struct TwoHosts: HTTPTransport {
        let production: ScriptedGateway
        let sandbox: ScriptedGateway

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            switch request.url.host {
            case "api.storekit.apple.com": try await production.send(request)
            case "api.storekit-sandbox.apple.com": try await sandbox.send(request)
            default: throw TransportError(.invalidRequest, "no host of the store")
            }
        }
    }
}

extension ScriptedGateway.Step {
    /// A refusal of the store's.
    static func refusal(_ status: Int, _ number: Int, headers: String = "") -> Self {
        .answer(status, #"{"errorCode":\#(number),"errorMessage":"as scripted"}"#, headers: headers)
    }

    /// No such transaction.
    static let unknown = refusal(404, 4_040_010)
    /// A bad token, or an app that was never released.
    static let unauthorized = answer(401, "")
}

extension AppStoreHouse {
    /// The answer to a look-up.
    func found(_ changes: [String: String?] = [:]) throws -> ScriptedGateway.Step {
        .answer(200, #"{"signedTransactionInfo":"\#(try sign(Self.transaction(changes)))"}"#)
    }
}
