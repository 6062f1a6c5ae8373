import CivilTime
package import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// Figures by day, for finance.
struct FiguresController: Sendable {
    let figures: Figures
    /// The time zone of days.
    let timeZone: TimeZone

    /// The most days of one request; sales are counted purchase by purchase.
    static let (mostDays, mostDaysOfSales) = (366, 31)

    /// `GET /v1/figures/days?from=&to=`: what was recorded on each day, and the liability at its end.
    func days(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let days = try Days(try request.query("from", "to"), in: timeZone, most: Self.mostDays)
        let figures = try await figures.between(days.bounds, now: Time.current.now)
        return try Response(json: DailyFiguresBody(days: zip(days.names, figures).map(DailyFiguresBody.Day.init)))
    }

    /// `GET /v1/figures/sales?from=&to=`: what was sold of each product on each day.
    func sales(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let days = try Days(try request.query("from", "to"), in: timeZone, most: Self.mostDaysOfSales)
        let names = Dictionary(uniqueKeysWithValues: zip(days.bounds, days.names))
        let sales = try await figures.sales(between: days.bounds)
        return try Response(json: SalesBody(sales: sales.map { SalesBody.Sale($0, day: names[$0.day] ?? "") }))
    }

    /// `GET /v1/open-items`: what is still to be decided, before finance closes a period.
    func openItems(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: OpenItemsBody(try await figures.openItems()))
    }
}

/// The days of a request.
package struct Days: Sendable {
    /// `2026-01-31`, one for each day.
    package let names: [String]
    /// The first moment of each day, and the end of the last one.
    package let bounds: [Date]

    /// The days from `from` to before `to`; by default the last 30 days with today.
    fileprivate init(_ query: Query, in zone: TimeZone, most: Int) throws(Problem) {
        let today = CivilDate(of: Time.current.now, in: zone).daysSince1970
        let to = try query.day("to") ?? today + 1
        let from = try query.day("from") ?? to - 30
        guard from < to, to - from <= most else {
            throw .invalid(member: "to", "to must be after from, at most \(most) days")
        }
        self.init(from: from, to: to, in: zone)
    }

    /// The days with these numbers, without the last.
    package init(from: Int64, to: Int64, in zone: TimeZone) {
        names = (from..<to).map { CivilDate(daysSince1970: $0).description }
        bounds = (from...to).map { Date(timeIntervalSince1970: Double(zone.startOfDay($0))) }
    }
}

extension Query {
    /// The number of a day, if given.
    fileprivate func day(_ name: String) throws(Problem) -> Int64? {
        try parsed(name, "a day from 2000-01-01 to 2199-12-31, such as 2026-01-31") { text in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
                let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
                (2000...2199).contains(year)
            else { return nil }
            return CivilDate(year: year, month: month, day: day)?.daysSince1970
        }
    }
}

extension DailyFiguresBody.Day {
    init(_ day: String, _ figures: DailyFigures) {
        self.init(
            day: day, coinsSold: figures.coinsSold, coinsPromoted: figures.coinsPromoted,
            coinsSpent: figures.coinsSpent, coinsExpired: figures.coinsExpired, revenue: figures.revenue,
            breakage: figures.breakage, refundFees: figures.refundFees, liability: figures.liability)
    }
}

extension SalesBody.Sale {
    init(_ sales: ProductSales, day: String) {
        self.init(
            day: day, product: sales.product, currency: sales.currency.code, purchases: sales.purchases,
            coins: sales.coins, bonusCoins: sales.bonusCoins, amount: sales.amount, refundedAmount: sales.refunded)
    }
}

extension OpenItemsBody {
    init(_ items: OpenItems) {
        self.init(
            findings: items.findings, receiptsWaiting: items.receiptsWaiting, oldestReceiptAt: items.oldestReceipt,
            refundsPending: items.refundsPending, oldestRefundAt: items.oldestRefund,
            webhooksWaiting: items.webhooksWaiting, reconciliationsRunning: items.reconciliationsRunning,
            settlementLinesUnmatched: items.settlementLinesUnmatched, closedUntil: items.closedUntil,
            sealedAt: items.lastSealAt)
    }
}
