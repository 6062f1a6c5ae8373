import Postgres

/// A published rate, as accounting programs read it: the price of one unit of a foreign currency in won.
struct CommodityPrice: Sendable, Equatable {
    /// Three capital letters, such as `USD`.
    let currency: String
    /// For which it is quoted, such as `2026-01-05`.
    let day: String
    let quotation: Quotation
}

extension CommodityPrice: PostgresReadable {
    static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CommodityPrice {
        try row.make(at: &column, CommodityPrice.init)
    }
}

extension ExportRequest {
    /// The request with the prices that its format writes.
    func withPrices(on connection: PostgresConnection) async throws -> ExportRequest {
        guard format.holdsPrices else { return self }
        var request = self
        request.prices = try await connection.run(commodityPrices)
        return request
    }

    /// The rates of days before the end of the period that were published by `as_of`, of each day its newest version.
    ///
    /// A rate that was published after its day was closed is left out: exports of a closed period never change.
    private var commodityPrices: PostgresQuery<[CommodityPrice]> {
        let start = "rate.day::timestamp AT TIME ZONE '\(zone.zone.identifier)'"
        return PostgresQuery(
            """
            SELECT DISTINCT ON (rate.currency, rate.day)
                rate.currency, to_char(rate.day, 'YYYY-MM-DD'), rate.value, rate.scale, rate.per
            FROM rate
            WHERE \(horizon(start, recorded: "rate.published_at") ?? "true") AND NOT EXISTS (
                SELECT FROM closed_period AS closed
                WHERE closed.until > \(start) AND closed.closed_at < rate.published_at)
            ORDER BY rate.currency, rate.day, rate.version DESC
            """, [])
    }
}

extension ExportFormat {
    /// Whether the format has prices beside entries.
    fileprivate var holdsPrices: Bool {
        switch self {
        case .csv, .jsonl, .xlsx: false
        case .hledger, .beancount: true
        }
    }
}
