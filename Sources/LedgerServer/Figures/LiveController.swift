package import Foundation
import Hummingbird
package import Ledger
package import LedgerWire
import Timing

/// What is happening now, for finance and support.
package struct LiveController: Sendable {
    let ledger: Ledger
    let metrics: PrometheusMetrics
    /// The configured gateways.
    let gateways: [String]

    /// `GET /v1/live`.
    func live(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await state(at: Time.current.now))
    }

    /// The state at a moment.
    package func state(at now: Date) async throws(LedgerError) -> LiveBody {
        LiveBody(
            asOf: now, paymentsPerMinute: try await ledger.figures.paymentsPerMinute(60, until: now),
            queueDepth: Int64(ledger.queueDepth), gateways: gatewayStates,
            open: OpenItemsBody(try await ledger.figures.openItems()))
    }

    /// The gateways as this process sees them.
    package var gatewayStates: [LiveBody.Gateway] { gateways.map(state) }

    private func state(of gateway: String) -> LiveBody.Gateway {
        let labels = [("gateway", gateway)]
        let calls = metrics.total(of: "ledgerd_gateway_call_seconds", with: labels)
        let good = metrics.total(of: "ledgerd_gateway_call_seconds", with: labels + [("outcome", "ok")])
        let circuit = metrics.total(of: "ledgerd_gateway_circuit_state", with: labels).value
        return LiveBody.Gateway(
            gateway: gateway, circuit: circuit == 0 ? "closed" : circuit == 1 ? "probing" : "open",
            calls: Int64(calls.count), failedCalls: Int64(calls.count - good.count),
            meanMilliseconds: calls.count == 0 ? nil : (calls.value / Double(calls.count) * 1e5).rounded() / 100,
            waiting: Int64(metrics.total(of: "ledgerd_gateway_waiting", with: labels).value))
    }
}

extension LiveController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getLiveFigures", "/v1/live", .either(.support, or: .financeRead), .support,
                "Get what is happening now",
                "The scope `finance:read` allows it too. Queue and gateways are those of the process that answers.",
                answers: [.ok(LiveBody.self, "The state now.")])
        ) { $0.live }
    ]

    static func make(with deps: Deps) throws -> Self? {
        LiveController(
            ledger: deps.ledger, metrics: deps.monitoring.metrics.metrics,
            gateways: deps.crediter.gateways.all.map(\.name))
    }
}
