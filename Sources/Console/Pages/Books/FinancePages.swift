import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Figures day by day, the accounts, closings and seals.
struct FinancePages: Sendable {
    let ledger: Ledger

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("finance", needs: .readBooks, page)
    }

    /// `GET /console/finance`; `?days=` for 7, 30, 90 or 365 days, `?day=` for the sales of one day, `?until=` for the
    /// checklist of a closing.
    private func page(_ visit: Visit) async throws -> Response {
        let now = Time.current.now
        let today = CivilDate(of: now, in: visit.timeZone).daysSince1970
        let count =
            visit.query("days").flatMap { Int64($0) }.flatMap { [7, 30, 90, 365].contains($0) ? $0 : nil } ?? 30
        let days = Days(from: today + 1 - count, to: today + 1, in: visit.timeZone)
        let figures = try await ledger.figures.between(days.bounds, now: now)
        let shown = try visit.day("day").map { CivilDate(of: $0, in: visit.timeZone).daysSince1970 } ?? today
        let day = Days(from: shown, to: shown + 1, in: visit.timeZone)
        let sales = try await ledger.figures.sales(between: day.bounds)
        var values: [String: Any] = [
            "spans": [7, 30, 90, 365].map { ["days": "\($0)", "isChosen": $0 == count] as [String: Any] },
            "charts": [
                Self.chart(visit.text("liability"), days.names, figures.map(\.liability), "₩"),
                Self.chart(visit.text("coinsSold"), days.names, figures.map(\.coinsSold), ""),
                Self.chart(visit.text("coinsSpent"), days.names, figures.map(\.coinsSpent), ""),
                Self.chart(visit.text("revenue"), days.names, figures.map(\.revenue), "₩"),
            ],
            "days": zip(days.names, figures).map(Self.row).reversed() as [[String: Any]], "day": day.names[0],
            "sales": sales.isEmpty ? [] : [["rows": sales.map(Self.row)]],
            "accounts": try await ledger.figures.accounts().map(Self.row),
            "open": Self.open(try await openItems(), visit),
        ]
        let closing = try await ledger.periods.checklist(
            until: try visit.day("until") ?? Self.startOfMonth(of: now, in: visit.timeZone), in: visit.timeZone)
        values["checklist"] = closing.items.map { Self.row($0, visit) }
        values["checkedUntil"] = Show.time(closing.until, in: visit.timeZone)
        values["periods"] = try await ledger.periods.list(limit: 5).elements.map { period in
            [
                "until": Show.time(period.until, in: visit.timeZone), "by": period.closedBy,
                "at": Show.time(period.closedAt, in: visit.timeZone),
            ]
        }
        values["seals"] = try await ledger.seals.list(limit: 5).elements.map { kept in
            [
                "id": String(kept.id), "entries": Show.number(kept.seal.content.entries),
                "head": kept.seal.content.head, "at": Show.time(kept.seal.content.sealedAt, in: visit.timeZone),
            ]
        }
        return Layout.page(visit, title: visit.text("financeTitle"), Self.template, values)
    }

    /// The end of the last whole month.
    private static func startOfMonth(of moment: Date, in zone: TimeZone) -> Date {
        let today = CivilDate(of: moment, in: zone)
        let first = CivilDate(year: today.year, month: today.month, day: 1)?.daysSince1970 ?? today.daysSince1970
        return Date(timeIntervalSince1970: Double(zone.startOfDay(first)))
    }

    private static func row(_ item: ClosingChecklist.Item, _ visit: Visit) -> [String: Any] {
        let more = item.open.count > Int64(item.open.examples.count) ? ", …" : ""
        return [
            "question": visit.text("check_\(item.question.rawValue)"), "open": Show.number(item.open.count),
            "isOpen": item.open.count > 0,
            "since": item.open.oldest.map { Show.time($0, in: visit.timeZone) } ?? "",
            "which": item.open.examples.joined(separator: ", ") + more,
        ]
    }

    private func openItems() async throws(LedgerError) -> OpenItems { try await ledger.figures.openItems() }

    private static func row(_ day: String, _ figures: DailyFigures) -> [String: Any] {
        [
            "day": day, "sold": Show.number(figures.coinsSold), "promoted": Show.number(figures.coinsPromoted),
            "spent": Show.number(figures.coinsSpent), "expired": Show.number(figures.coinsExpired),
            "revenue": Show.money(figures.revenue, "KRW"), "breakage": Show.money(figures.breakage, "KRW"),
            "liability": Show.money(figures.liability, "KRW"),
        ]
    }

    private static func row(_ sales: ProductSales) -> [String: Any] {
        [
            "product": sales.product, "purchases": Show.number(sales.purchases), "coins": Show.number(sales.coins),
            "bonus": Show.number(sales.bonusCoins), "amount": Show.money(sales.amount, sales.currency.code),
            "refunded": Show.money(sales.refunded, sales.currency.code),
        ]
    }

    private static func row(_ account: SystemBalance) -> [String: Any] {
        let currency = account.account.currency.code
        return [
            "name": account.account.rawValue, "isDebit": account.account.normalSide == .debit,
            "balance": currency == "KRW" ? Show.money(account.balance, currency) : Show.number(account.balance),
            "stripes": (0..<account.stripes).map { ["number": String($0)] },
        ]
    }

    private static func open(_ items: OpenItems, _ visit: Visit) -> [[String: Any]] {
        let numbers = [
            ("findingsTitle", items.findings, "findings"), ("waitingReceiptsTitle", items.receiptsWaiting, "receipts"),
            ("waitingRefundsTitle", items.refundsPending, "refunds"),
            ("reconciliationsTitle", items.reconciliationsRunning, "reconciliations"),
            ("unmatchedLines", items.settlementLinesUnmatched, "settlements"),
        ]
        return numbers.map { ["text": visit.text($0.0), "count": Show.number($0.1), "path": "/console/" + $0.2] }
    }

    /// A chart with a bar for each day, as numbers for the template.
    static func chart(_ title: String, _ names: [String], _ values: [Int64], _ sign: String) -> [String: Any] {
        let high = max(values.max() ?? 0, 0)
        let low = min(values.min() ?? 0, 0)
        let range = Double(max(high - low, 1))
        let width = 600.0 / Double(max(values.count, 1))
        func height(_ value: Int64) -> Double { Double(value) / range * 120 }
        let zero = height(high)
        let bars = zip(names, values).enumerated().map { index, bar in
            let top = bar.1 >= 0 ? zero - height(bar.1) : zero
            return [
                "x": decimal(Double(index) * width), "y": decimal(top), "width": decimal(max(width * 0.8, 0.5)),
                "height": decimal(abs(height(bar.1))), "title": "\(bar.0): \(sign)\(Show.number(bar.1))",
            ]
        }
        let label = "\(title), \(names.first ?? "")–\(names.last ?? ""): \(sign)\(Show.number(values.last ?? 0))"
        return ["title": title, "label": label, "bars": bars, "last": sign + Show.number(values.last ?? 0)]
    }

    private static func decimal(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
