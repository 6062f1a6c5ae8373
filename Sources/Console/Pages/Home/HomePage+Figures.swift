import CivilTime
import Foundation
import Ledger
import LedgerServer

/// What finance asks of the books each morning.
extension HomePage {
    typealias Facts = [HomeTile.Fact]

    func sales(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        let found = try await keptSales.list(between: moments.days, now: moments.now) { [ledger] in
            try await ledger.figures.sales(between: $0)
        }
        let today = moments.days.dropLast().last
        let ofToday = found.filter { $0.day == today }
        return [
            ("salesToday", Self.amounts(ofToday)), ("purchasesToday", Self.purchases(ofToday)),
            ("salesOfMonth", Self.amounts(found)), ("purchasesOfMonth", Self.purchases(found)),
        ].map { HomeTile.Fact(name: visit.text($0.0), value: $0.1) }
    }

    /// The amounts by currency, won first: `₩1,000, USD 14.20`.
    static func amounts(_ sales: [ProductSales]) -> String {
        let won = Currency.won.code
        let sums = sales.reduce(into: [won: Int64(0)]) { $0[$1.currency.code, default: 0] += $1.amount }
        let others = sums.keys.filter { $0 != won }.sorted()
        return ([won] + others).map { Show.money(sums[$0] ?? 0, $0) }.joined(separator: ", ")
    }

    private static func purchases(_ sales: [ProductSales]) -> String {
        Show.number(sales.reduce(0) { $0 + $1.purchases })
    }

    func books(_ visit: Visit) async throws -> Facts {
        let accounts = try await ledger.figures.accounts()
        func balance(_ account: SystemAccount) -> String {
            Show.won(accounts.first { $0.account == account }?.balance ?? 0)
        }
        let owed = try await ledger.figures.owedByGateways(with: accounts)
        return [
            HomeTile.Fact(name: visit.text("owedForCoins"), value: balance(.deferredRevenue)),
            HomeTile.Fact(
                name: visit.text("owedByGateways"), value: Show.won(owed), link: "/console/settlements"),
            HomeTile.Fact(
                name: visit.text("owedRefunds"), value: balance(.refundsPayable), link: "/console/transfers"),
        ]
    }

    func findingAges(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        try await ledger.figures.findingAges(at: moments.now).map { age in
            HomeTile.Fact(
                name: Self.days(age.fromDays, age.toDays, visit), value: Show.number(age.findings),
                link: "/console/findings")
        }
    }

    /// `0 days`, `3–6 days`, `7 days or more`.
    static func days(_ from: Int64, _ to: Int64?, _ visit: Visit) -> String {
        guard let to else { return "\(from)\(visit.text("daysOrMore"))" }
        return (from == to ? "\(from)" : "\(from)–\(to)") + visit.text("age_days")
    }

    func lastRun(_ visit: Visit) async throws -> Facts {
        guard let run = try await ledger.reconciliations.list(limit: 1).elements.first else {
            return [HomeTile.Fact(name: visit.text("runStarted"), value: visit.text("never"))]
        }
        var facts = [
            HomeTile.Fact(
                name: visit.text("runStarted"), value: visit.show(run.startedAt),
                link: "/console/reconciliations/\(run.id)"),
            HomeTile.Fact(name: visit.text("status"), value: visit.text("run_\(run.status.rawValue)")),
        ]
        if let counts = run.counts {
            facts.append(
                HomeTile.Fact(name: visit.text("runDifferences"), value: Show.number(counts.differences)))
        }
        return facts
    }

    func outstanding(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        try await ledger.settlements.oldestOutstanding(at: moments.now).map { age in
            HomeTile.Fact(
                name: Self.days(age.fromDays, age.toDays, visit), value: Show.won(age.outstanding),
                link: "/console/settlements")
        }
    }

    /// The questions of which something is open before the last month is closed.
    func closing(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        let checklist = try await ledger.periods.checklist(until: moments.startOfMonth, in: visit.timeZone)
        let open = checklist.items.filter { $0.open.count > 0 }.map { item in
            HomeTile.Fact(
                name: visit.text("check_\(item.question.rawValue)"), value: Show.number(item.open.count),
                link: ClosingPages.path(of: item.question, on: "/console/closing"))
        }
        let until = HomeTile.Fact(
            name: visit.text("closingUntil"), value: visit.show(moments.startOfMonth))
        return [until] + (open.isEmpty ? [HomeTile.Fact(name: visit.text("checkOpen"), value: "0")] : open)
    }

    func vat(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        let booked = try await ledger.figures.vat(since: moments.startOfQuarter, now: moments.now)
        return [
            ("outputVAT", booked.output), ("inputVAT", booked.input), ("vatToPay", booked.output - booked.input),
        ].map { HomeTile.Fact(name: visit.text($0.0), value: Show.won($0.1)) }
    }

    func liveFigures(_ visit: Visit, _ moments: HomeMoments) async throws -> Facts {
        let state = try await live.state(at: moments.now)
        return [
            HomeTile.Fact(
                name: visit.text("paymentsOfHour"), value: Show.number(state.paymentsPerMinute.reduce(0, +))),
            HomeTile.Fact(name: visit.text("webhooks"), value: Show.number(state.open.webhooksWaiting)),
            HomeTile.Fact(name: visit.text("queue"), value: Show.number(state.queueDepth)),
        ]
    }

    /// Whether the gateways answer, and how far the books are closed and sealed.
    func health(_ visit: Visit) async throws -> Facts {
        let closed = try await ledger.periods.list(limit: 1).elements.first?.until
        let sealed = try await ledger.seals.last()?.seal.content.sealedAt
        let gateways = live.gatewayStates.map { gateway in
            HomeTile.Fact(name: gateway.gateway, value: visit.text("circuit_\(gateway.circuit)"))
        }
        func moment(_ date: Date?) -> String {
            date.map { visit.show($0) } ?? visit.text("never")
        }
        return gateways + [
            HomeTile.Fact(name: visit.text("booksClosed"), value: moment(closed)),
            HomeTile.Fact(name: visit.text("booksSealed"), value: moment(sealed)),
        ]
    }
}
