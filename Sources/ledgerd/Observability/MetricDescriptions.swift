/// The `HELP` text of each metric, in one place, which is also the reference page of what is measured.
enum MetricDescriptions {
    static let all = [
        "ledgerd_http_requests_total": "Requests answered, by method, route pattern and status.",
        "ledgerd_http_request_seconds": "Time from a request's arrival to its answer, by method and route pattern.",
        "ledgerd_http_connections_open": "Connections of clients that are open.",
        "ledgerd_http_connections_limit": "How many connections of clients may be open.",
        "ledgerd_http_connections_ended_total":
            "Connections that the service ended before their clients had done, by reason.",
        "ledgerd_posting_queue_depth": "Commands that wait to be posted.",
        "ledgerd_posting_batch_size": "Commands committed together.",
        "ledgerd_commit_seconds": "Time from writing a batch to the reply of its commit.",
        "ledgerd_posting_batches_separated_total": "Batches that failed whole and were tried command by command.",
        "ledgerd_posting_attempts_failed_total": "Attempts to post a batch that failed, most of which are repeated.",
        "ledgerd_gateway_calls_total": "Questions put to a payment gateway, by gateway, operation and outcome.",
        "ledgerd_gateway_call_seconds": "Time until a gateway's answer, by gateway, operation and outcome.",
        "ledgerd_gateway_retries_total": "Questions put to a gateway again after a failure, by gateway and operation.",
        "ledgerd_gateway_circuit_state": "Whether a gateway is asked: 0 yes, 1 only to probe, 2 no, for it is broken.",
        "ledgerd_gateway_waiting": "Questions that wait for their turn at a gateway.",
        "ledgerd_gateway_lookup_batch_size": "Payments asked for in one question.",
        "ledgerd_webhook_events_waiting": "Stored webhook events that wait to be worked off, of all processes.",
        "ledgerd_webhook_events_refused_total": "Unsigned webhook events that were not stored: too many waited.",
        "ledgerd_webhook_events_decided_total": "Stored webhook events that this process ended, by decision.",
        "ledgerd_expired_total": "Holds and lots that this process had expire, by what.",
        "ledgerd_refunds_waiting": "Refunds that wait for a gateway's definite answer, of all processes.",
        "ledgerd_refunds_decided_total": "Refunds that this process ended, by decision.",
        "ledgerd_chain_entries_total": "Journal entries that this process added to the hash chain.",
        "ledgerd_chain_lag_seconds": "How long the oldest journal entry that is not in the hash chain has waited.",
        "ledgerd_seals_total": "Seals of the books that this process made.",
        "ledgerd_receipt_retries_waiting": "Kept receipts that wait for a gateway, of all processes.",
        "ledgerd_receipt_retries_decided_total": "Kept receipts that this process ended, by decision.",
        "ledgerd_reconciliation_runs_total":
            "Attempts at reconciliation runs that this process ended, by how they ended.",
        "ledgerd_reconciliation_differences": "Differences that the latest run of this process left to people.",
        "ledgerd_exports_total": "Exports over HTTP, by report, format and outcome.",
        "ledgerd_export_seconds": "Time from an export's beginning to its end, by report, format and outcome.",
        "ledgerd_metrics_dropped_series_total": "Series not kept: over the limit, or one name used as two kinds.",
    ]
}
