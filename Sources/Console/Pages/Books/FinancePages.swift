import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Figures day by day, with the period before for comparison, and what is open.
struct FinancePages: Sendable {
    let ledger: Ledger

    private static let spans: [Int64] = [7, 30, 90, 365]
    /// Two years: with the period before, four.
    private static let mostDays: Int64 = 731

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("finance", needs: .readBooks, page)
    }

    /// `GET /console/finance`; `?days=` for 7, 30, 90 or 365 days, or `?from=&last=`; `?day=` for the sales of one day.
    private func page(_ visit: Visit) async throws -> Response {
        let zone = visit.timeZone
        let now = Time.current.now
        let today = CivilDate(of: now, in: zone).daysSince1970
        let (first, end) = try Self.period(visit, today: today)
        let books = try await DailyBooks.read(
            from: ledger.accountDays, first: CivilDate(daysSince1970: first - (end - first)),
            end: CivilDate(daysSince1970: end), in: zone, at: now)
        let shown = try visit.day("day").map { CivilDate(of: $0, in: zone).daysSince1970 } ?? min(today, end - 1)
        let day = Days(from: shown, to: shown + 1, in: zone)
        let sales = try await ledger.figures.sales(between: day.bounds)
        let values: [String: Any] = [
            "spans": Self.spans.map { count in
                ["days": "\(count)", "isChosen": count == end - first && end == today + 1] as [String: Any]
            },
            "from": CivilDate(daysSince1970: first).description, "last": CivilDate(daysSince1970: end - 1).description,
            "isBehind": books.isBehind,
            "charts": Self.charts(books, last: Int(end - first), visit).map { $0.values(in: visit.language) },
            "days": Self.rows(books, last: Int(end - first)), "day": day.names[0],
            "sales": Layout.section(sales.map(Self.row)),
            "open": Self.open(try await openItems(), closing: try await ledger.periods.waitingProposal(), visit),
        ]
        return await Layout.page(visit, title: visit.text("financeTitle"), Self.template, values)
    }

    /// The days of the query, by number; by default the last 30 with today.
    private static func period(_ visit: Visit, today: Int64) throws(Problem) -> (first: Int64, end: Int64) {
        let zone = visit.timeZone
        let from = try visit.day("from").map { CivilDate(of: $0, in: zone).daysSince1970 }
        let to = try visit.endOfDays().map { CivilDate(of: $0, in: zone).daysSince1970 }
        if from != nil || to != nil {
            let end = to ?? today + 1
            let first = from ?? end - 30
            guard first < end, end - first <= mostDays else {
                throw .invalid(member: "to", "the period must have 1 to \(mostDays) days")
            }
            return (first, end)
        }
        let count = visit.query("days").flatMap { Int64($0) }.flatMap { spans.contains($0) ? $0 : nil } ?? 30
        return (today + 1 - count, today + 1)
    }

    private static func charts(_ books: DailyBooks, last count: Int, _ visit: Visit) -> [Chart] {
        let (before, period) = books.split(last: count)
        func chart(_ title: String, _ shape: Chart.Shape, _ unit: Chart.Unit, _ values: [Int64]) -> Chart {
            Chart(
                title: title, shape: shape, unit: unit, days: Array(books.days[period]),
                values: Array(values[period]), before: Array(values[before]))
        }
        return [
            chart(visit.text("liability"), .line, .won, books.liability),
            chart(visit.text("revenue"), .bars, .won, books.revenue),
            chart(visit.text("coinsSold"), .bars, .coins, books.coinsSold),
            chart(visit.text("coinsSpent"), .bars, .coins, books.coinsSpent),
        ]
    }

    private func openItems() async throws(LedgerError) -> OpenItems { try await ledger.figures.openItems() }

    /// The days of the period, the last one first.
    private static func rows(_ books: DailyBooks, last count: Int) -> [[String: Any]] {
        books.split(last: count).period.reversed().map { index in
            [
                "day": books.days[index].description, "sold": Show.number(books.coinsSold[index]),
                "promoted": Show.number(books.bonusGiven[index]), "spent": Show.number(books.coinsSpent[index]),
                "expired": Show.number(books.coinsExpired[index]), "revenue": Show.won(books.revenue[index]),
                "breakage": Show.won(books.breakage[index]),
                "liability": Show.won(books.liability[index]),
            ]
        }
    }

    private static func row(_ sales: ProductSales) -> [String: Any] {
        [
            "product": sales.product, "purchases": Show.number(sales.purchases), "coins": Show.number(sales.coins),
            "bonus": Show.number(sales.bonusCoins), "amount": Show.money(sales.amount, sales.currency.code),
            "refunded": Show.money(sales.refunded, sales.currency.code),
        ]
    }

    private static func open(
        _ items: OpenItems, closing: ClosingProposal?, _ visit: Visit
    ) -> [[String: Any]] {
        let numbers = [
            ("findingsTitle", items.findings, "findings"), ("waitingReceiptsTitle", items.receiptsWaiting, "receipts"),
            ("waitingRefundsTitle", items.refundsPending, "refunds"),
            ("reconciliationsTitle", items.reconciliationsRunning, "reconciliations"),
            ("unmatchedLines", items.settlementLinesUnmatched, "settlements"),
            ("closingWaiting", closing == nil ? 0 : 1, "closing"),
        ]
        return numbers.map { ["text": visit.text($0.0), "count": Show.number($0.1), "path": "/console/" + $0.2] }
    }
}
