import CivilTime
public import Foundation

// Calls for finance: rates of foreign currencies.
extension LedgerClient {
    /// Sets the rate of a currency for a day; it is published, or waits for another person: ``RateBody/status``.
    ///
    /// A repeat changes nothing.
    ///
    /// - Parameters:
    ///   - currency: its ISO 4217 code, such as `USD`.
    ///   - day: a day that has begun, such as `2026-11-20`.
    public func setRate(of currency: String, on day: String, _ request: RateRequest) async throws -> RateBody {
        try await send(.put(["rates", currency, day], request))
    }

    /// Publishes the rate that another person set for a day; a repeat changes nothing.
    public func approveRate(
        of currency: String, on day: String, _ request: RateApprovalRequest
    ) async throws -> RateBody {
        try await send(.post(["rates", currency, day, "approval"], request))
    }

    /// Withdraws the rate that waits for a day; a repeat changes nothing.
    public func withdrawRate(of currency: String, on day: String) async throws -> RateBody {
        try await send(.post(["rates", currency, day, "withdrawal"]))
    }

    /// The rate of a currency that holds at a moment.
    ///
    /// - Parameter moment: nil: now.
    public func rate(of currency: String, at moment: Date? = nil) async throws -> RateBody {
        let query = filters(["at": moment.map(RFC3339.string)])
        return try await send(.get(["rates", currency], query: query))
    }

    /// Published rates with all their versions, the last published first.
    ///
    /// - Parameters:
    ///   - currency: only this currency.
    ///   - from: only rates of this day or later, such as `2026-11-01`.
    ///   - to: only rates of days before this one.
    ///   - pageSize: the page size, 1 to 100.
    public func rates(
        of currency: String? = nil, from: String? = nil, to: String? = nil, pageSize: Int = 20
    ) -> Listing<RateBody> {
        listing(["rates"], query: filters(["currency": currency, "from": from, "to": to]), pageSize: pageSize)
    }

    /// Rates that wait for another person, the last set first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func waitingRates(pageSize: Int = 20) -> Listing<RateBody> {
        listing(["rates", "waiting"], pageSize: pageSize)
    }
}
