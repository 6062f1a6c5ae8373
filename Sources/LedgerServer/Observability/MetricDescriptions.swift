/// The `HELP` text of all metrics, and their units.
enum MetricDescriptions {
    /// The unit as UCUM writes it, by the end of the metric's name; empty for a number of something.
    static func unit(of name: String) -> String {
        let base = name.hasSuffix("_total") ? name.dropLast("_total".count) : name[...]
        if base.hasSuffix("_seconds") { return "s" }
        return base.hasSuffix("_bytes") ? "By" : ""
    }

    static let all = [
        "ledgerd_build_info": "The version, commit and build time in labels; the value is always 1.",
        "ledgerd_http_requests_total": "HTTP requests with a response, by method, route pattern and status.",
        "ledgerd_http_request_seconds": "Time from a request's arrival to its response, by method and route pattern.",
        "ledgerd_http_connections_open": "Open client connections.",
        "ledgerd_http_connections_limit": "Maximum number of open client connections.",
        "ledgerd_http_connections_ended_total":
            "Client connections that the service closed because of a limit or an error, by reason.",
        "ledgerd_posting_queue_depth": "Acts that wait in the posting queues.",
        "ledgerd_pool_connections": "Database connections, by pool and by state: idle or lent.",
        "ledgerd_pool_connections_limit": "Maximum number of database connections, by pool.",
        "ledgerd_pool_connections_waiting": "Callers that wait for a database connection, by pool.",
        "ledgerd_posting_batch_size": "Acts per committed batch.",
        "ledgerd_commit_seconds": "Time from the start of a batch's writes to the reply to its commit.",
        "ledgerd_posting_batches_divided_total":
            "Batches that change too many lots, or took too long, and were posted as two.",
        "ledgerd_posting_batches_separated_total": "Failed batches whose acts were posted one by one.",
        "ledgerd_posting_attempts_failed_total": "Failed attempts to post a batch; most are retried.",
        "ledgerd_purchase_batches_planned_total":
            "Batches of purchases that the database left to the plan, by cause.",
        "ledgerd_gateway_calls_total": "Requests sent to a payment gateway, by gateway, operation and outcome.",
        "ledgerd_gateway_call_seconds": "Time until a gateway's response, by gateway, operation and outcome.",
        "ledgerd_gateway_retries_total": "Repeats of failed requests to a gateway, by gateway and operation.",
        "ledgerd_gateway_circuit_state": "Circuit breaker of a gateway: 0 closed, 1 half-open, 2 open (no requests).",
        "ledgerd_gateway_waiting": "Requests that wait for the rate limit of a gateway.",
        "ledgerd_gateway_lookup_batch_size": "Payments per look-up request to a gateway.",
        "ledgerd_webhook_events_waiting": "Stored webhook events that wait to be processed, of all processes.",
        "ledgerd_webhook_events_refused_total": "Unsigned webhook events refused because too many were waiting.",
        "ledgerd_webhook_events_decided_total": "Stored webhook events that this process decided, by decision.",
        "ledgerd_expired_total": "Holds and lots that this process expired, by kind.",
        "ledgerd_refunds_waiting": "Refunds that wait for a gateway's final response, of all processes.",
        "ledgerd_refunds_decided_total": "Refunds that this process decided, by decision.",
        "ledgerd_top_ups_waiting": "Charges of automatic top-up without an outcome, of all processes.",
        "ledgerd_top_ups_decided_total": "Charges of automatic top-up that this process ended, by decision.",
        "ledgerd_campaigns_waiting": "Campaigns that are not over, of all processes.",
        "ledgerd_campaigns_decided_total": "Campaigns that this process found to be over, by decision.",
        "ledgerd_campaign_users_total": "Users of campaigns whom this process gave coins, by result.",
        "ledgerd_store_deliveries_waiting":
            "Purchases of which a store is to be told that they are delivered, of all processes.",
        "ledgerd_store_deliveries_decided_total": "Purchases of which this process told the store, or gave up to.",
        "ledgerd_refund_questions_waiting":
            "Questions of stores about refunds that are to be answered, of all processes.",
        "ledgerd_refund_questions_decided_total":
            "Questions of stores about refunds that this process answered or ended, by decision.",
        "ledgerd_refund_questions_deadline_timestamp_seconds":
            "The first deadline of the questions of stores about refunds that can be answered; 0: there is none.",
        "ledgerd_forgettings_waiting": "Users who are to be forgotten, of all processes.",
        "ledgerd_forgettings_decided_total": "Users whom this process forgot.",
        "ledgerd_chain_entries_total": "Journal entries that this process added to the hash chain.",
        "ledgerd_chain_lag_seconds": "Age of the oldest journal entry that is not in the hash chain.",
        "ledgerd_replica_usable": "Whether reports can be read from the standby: 1 or 0.",
        "ledgerd_replica_wait_seconds":
            "Time that a report would have waited for the standby, in the last test of each minute.",
        "ledgerd_events_published_total": "Events that this process numbered.",
        "ledgerd_events_lag_seconds": "Age of the oldest journal entry that has no event.",
        "ledgerd_event_readers": "Readers that wait for events or read a stream of events.",
        "ledgerd_seals_total": "Seals of the books that this process created.",
        "ledgerd_endpoint_attempts_total": "Attempts to deliver an event that this process made, by outcome.",
        "ledgerd_endpoint_attempt_seconds": "Duration of an attempt to deliver an event.",
        "ledgerd_endpoint_lag_seconds": "How long the event of an endpoint has waited that waits longest, by endpoint.",
        "ledgerd_endpoints_disabled": "Endpoints that were disabled because of their receivers.",
        "ledgerd_receipt_retries_waiting": "Stored receipts that wait for a gateway, of all processes.",
        "ledgerd_receipt_retries_decided_total": "Stored receipts that this process decided, by decision.",
        "ledgerd_findings_open": "Open findings, by their most important kind.",
        "ledgerd_findings_oldest_seconds": "How long the oldest open finding has been open, by kind; 0: none is open.",
        "ledgerd_approvals_waiting": "Proposals that wait for a second person, by act.",
        "ledgerd_approvals_oldest_seconds": "How long the oldest proposal has waited, by act; 0: none waits.",
        "ledgerd_reconciliation_runs_total":
            "Attempts of reconciliation runs by this process, by outcome.",
        "ledgerd_reconciliation_differences": "Remaining differences of this process's latest reconciliation run.",
        "ledgerd_backup_timestamp_seconds": "Time of the last successful backup, by ledgerd-backup@.service.",
        "ledgerd_drill_success": "Result of the last drill: 1 if it proved the backup, otherwise 0.",
        "ledgerd_drill_last_success_timestamp_seconds": "Time of the last drill that proved the backup.",
        "ledgerd_drill_duration_seconds": "Duration of the last drill.",
        "ledgerd_drill_missing_seconds": "Age of the oldest entry that the backup of the last drill did not contain.",
        "ledgerd_exports_total": "Exports over HTTP, by report, format and outcome.",
        "ledgerd_export_seconds": "Duration of an export over HTTP, by report, format and outcome.",
        "ledgerd_coins_total":
            "Coins that committed entries moved into or out of users' accounts, by kind of entry and paid or bonus.",
        "ledgerd_won_total":
            "Won that the gateway took, gave back or paid out, or that were recognised as revenue, by kind of entry.",
        "ledgerd_event_loop_lag_seconds": "How long work waits for its turn at an event loop, measured each second.",
        "ledgerd_task_lag_seconds": "How long a task waits for a thread, measured each second.",
        "ledgerd_trace_spans_exported_total": "Spans that the collector accepted.",
        "ledgerd_trace_spans_dropped_total": "Spans that were not delivered, by reason.",
        "ledgerd_metric_exports_total": "Requests with metrics to the collector, by outcome.",
        "process_cpu_seconds_total": "CPU time of the process, user and system, in seconds.",
        "process_resident_memory_bytes": "Resident memory of the process.",
        "process_virtual_memory_bytes": "Virtual memory of the process.",
        "process_open_fds": "Open files of the process.",
        "process_max_fds": "Maximum number of open files of the process.",
        "process_start_time_seconds": "Start time of the process, in seconds since 1970.",
        "ledgerd_metrics_dropped_series_total": "Dropped series: above the limit, or one name with two types.",
    ]
}
