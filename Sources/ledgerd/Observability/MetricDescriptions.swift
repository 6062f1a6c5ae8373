/// The `HELP` text of each metric, in one place, which is also the reference page of what is measured.
enum MetricDescriptions {
    static let all = [
        "ledgerd_http_requests_total": "Requests answered, by method, route pattern and status.",
        "ledgerd_http_request_seconds": "Time from a request's arrival to its answer, by method and route pattern.",
        "ledgerd_metrics_dropped_series_total": "Series not kept: over the limit, or one name used as two kinds.",
    ]
}
