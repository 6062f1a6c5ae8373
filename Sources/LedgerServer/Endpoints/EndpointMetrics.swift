import Foundation
import Ledger
import Metrics

/// Metrics of the deliveries to endpoints.
enum EndpointMetrics {
    /// Counts an attempt, and records how long it took.
    static func count(_ attempt: WebhookSender.Attempt) {
        Counter(label: "ledgerd_endpoint_attempts_total", dimensions: [("outcome", attempt.outcome.rawValue)])
            .increment()
        Timer(label: "ledgerd_endpoint_attempt_seconds").recordNanoseconds(
            Int64(attempt.latency / .nanoseconds(1)))
    }

    /// Sets how long the event that waits longest has waited.
    static func setLag(_ lag: TimeInterval, of endpoint: Int64) {
        Gauge(label: "ledgerd_endpoint_lag_seconds", dimensions: [("endpoint", "\(endpoint)")]).record(lag)
    }

    /// Sets the number of endpoints that were disabled because of their receivers.
    static func setDisabled(_ count: Int) {
        Gauge(label: "ledgerd_endpoints_disabled").record(count)
    }
}
