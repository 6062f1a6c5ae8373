import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// The accounts of the books in a period: one line each, grouped, with totals that prove that debits are credits.
struct LedgerPages: Sendable {
    let ledger: Ledger

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("ledger", needs: .readBooks, page)
    }

    /// `GET /console/ledger`; `?period=2026-10` or `2026-Q4`, or `?from=&last=`; by default this month until now.
    private func page(_ visit: Visit) async throws -> Response {
        let zone = visit.timeZone
        let today = CivilDate(of: Time.current.now, in: zone)
        let (first, end) = try Self.days(visit, today: today)
        let present = CivilMonth(of: Time.current.now, in: zone).description
        let sums = try await ledger.accountDays.upToDate(from: first, to: end, in: zone, at: Time.current.now)
        let byName = Dictionary(sums.totals.map { ($0.account.name, $0) }, uniquingKeysWith: { first, _ in first })
        // Accounts of foreign currencies are shown when something was posted to them.
        let foreign = sums.totals.compactMap { ForeignAccount($0.account.name) }.sorted { $0.name < $1.name }
        let lines = (BookAccount.all + foreign.map(BookAccount.init)).map { AccountLine($0, byName[$0.name]) }
        let currencies = Set(foreign.map(\.currency)).subtracting([.won]).sorted { $0.code < $1.code }
        var values: [String: Any] = [
            "isBehind": sums.isBehind, "from": first.description,
            "choices": ([present] + ReportPeriod.choices(at: Time.current.now, in: zone)).map { name in
                ["name": name, "isChosen": name == visit.query("period")] as [String: Any]
            },
            "groups": BookAccount.Group.allCases.map { group in
                Self.values(of: group, lines.filter { $0.account.group == group }, from: first, to: end, visit)
            },
            "proofs": ([Currency.won, .coin] + currencies).map { Self.proof(lines, in: $0, visit) },
        ]
        values["last"] = CivilDate(daysSince1970: end.daysSince1970 - 1).description
        return await Layout.page(visit, title: visit.text("ledgerTitle"), Self.template, values)
    }

    private static func days(_ visit: Visit, today: CivilDate) throws(Problem) -> (CivilDate, CivilDate) {
        if visit.query("period") != nil || ReportPeriod.hasDays(visit) {
            let period = try ReportPeriod(visit)
            return (period.first, period.end)
        }
        let start = today.daysSince1970 - today.day + 1
        return (CivilDate(daysSince1970: start), CivilDate(daysSince1970: today.daysSince1970 + 1))
    }

    // MARK: - Values

    private static func values(
        of group: BookAccount.Group, _ lines: [AccountLine], from first: CivilDate, to end: CivilDate, _ visit: Visit
    ) -> [String: Any] {
        let rows = { (lines: [AccountLine]) in lines.map { row($0, from: first, to: end, visit) } }
        let idle = lines.filter(\.isZero)
        var values: [String: Any] = [
            "name": visit.text("accountGroup_\(group.rawValue)"),
            "unit": visit.text(group == .coins ? "coins" : "money"),
            "rows": rows(lines.filter { !$0.isZero }),
        ]
        if !idle.isEmpty { values["idle"] = ["count": String(idle.count), "rows": rows(idle)] }
        return values
    }

    private static func row(
        _ line: AccountLine, from first: CivilDate, to end: CivilDate, _ visit: Visit
    ) -> [String: Any] {
        let account = line.account
        let opening = line.opening.net(on: account.normalSide)
        let balance = line.closing.net(on: account.normalSide)
        func show(_ amount: Int64) -> String { Show.amount(amount, account.currency) }
        var row: [String: Any] = [
            "title": visit.language == .korean ? account.korean : account.english, "code": account.name,
            "isDebit": account.normalSide == .debit, "opening": show(opening),
            "debits": show(line.moved.debits), "credits": show(line.moved.credits), "balance": show(balance),
        ]
        if account.hasPostings {
            row["path"] =
                "/console/accounts?"
                + ConsolePath.query([
                    ("account", account.name), ("from", first.description), ("before", end.description),
                    ("view", AccountPages.ofLedger),
                ])
        }
        return row
    }

    /// The sums of all accounts in a currency: what proves that each entry balances.
    private static func proof(_ lines: [AccountLine], in currency: Currency, _ visit: Visit) -> [String: Any] {
        let own = lines.filter { $0.account.currency == currency }
        func sum(_ value: (AccountLine) -> Int64) -> Int64 { own.reduce(0) { $0 &+ value($1) } }
        let (debits, credits) = (sum { $0.moved.debits }, sum { $0.moved.credits })
        let (debitBalances, creditBalances) = (sum { max($0.signed, 0) }, sum { max(0 &- $0.signed, 0) })
        let holds = debits == credits && debitBalances == creditBalances
        return [
            "unit": currency == .coin ? visit.text("coins") : currency == .won ? visit.text("money") : currency.code,
            "holds": holds,
            "debits": Show.amount(debits, currency), "credits": Show.amount(credits, currency),
            "debitBalances": Show.amount(debitBalances, currency),
            "creditBalances": Show.amount(creditBalances, currency),
        ]
    }
}

/// An account with its sums before a period and in it.
struct AccountLine: Sendable {
    let account: BookAccount
    let opening: ChainTotal
    let moved: ChainTotal
    let closing: ChainTotal

    init(_ account: BookAccount, _ totals: AccountDays.Totals?) {
        self.account = account
        opening = totals?.opening ?? .zero
        moved = totals?.moved ?? .zero
        closing = opening.adding(moved)
    }

    /// Whether nothing is on it and nothing moved.
    var isZero: Bool { closing.debits == closing.credits && moved == .zero }

    /// The balance at the end; below zero: a credit.
    var signed: Int64 { closing.net(on: .debit) }
}

extension Show {
    /// An amount of an account: won with their sign, coins as a number.
    static func amount(_ amount: Int64, _ currency: Currency) -> String { reportSum(amount, currency.code) }
}

extension LedgerPages {
    static let template = ConsoleTemplate(
        """
        <form class="line" method="get" action="/console/ledger">
        <div class="field"><label for="period">{{t.reportPeriod}}</label><select id="period" name="period">
        {{#choices}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>
        {{/choices}}</select></div><button>{{t.reportShow}}</button></form>
        <details><summary>{{t.reportOtherDays}}</summary><form class="line" method="get" action="/console/ledger">
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" required value="{{from}}"></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" required value="{{last}}"></div>
        <button>{{t.reportShow}}</button></form></details>
        {{#isBehind}}<p class="warning" role="status">{{t.sumsBehind}}</p>{{/isBehind}}
        <h2>{{from}} – {{last}}</h2>
        {{#groups}}<h3>{{name}} <span class="quiet">{{unit}}</span></h3>
        \(table("rows"))
        {{#idle}}<details><summary>{{t.accountsIdle}} {{count}}</summary>\(table("rows"))</details>{{/idle}}
        {{/groups}}
        <h2>{{t.proof}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.proofUnit}}</th><th scope="col" class="number">{{t.debitsMoved}}</th>
        <th scope="col" class="number">{{t.creditsMoved}}</th><th scope="col" class="number">{{t.debitBalances}}</th>
        <th scope="col" class="number">{{t.creditBalances}}</th><th scope="col">{{t.proofHolds}}</th></tr></thead><tbody>
        {{#proofs}}<tr><th scope="row">{{unit}}</th><td class="number">{{debits}}</td><td class="number">{{credits}}</td>
        <td class="number">{{debitBalances}}</td><td class="number">{{creditBalances}}</td>
        <td>{{#holds}}<span class="status good">{{t.proofYes}}</span>{{/holds}}{{^holds}}<span class="status bad">{{t.proofNo}}</span>{{/holds}}</td></tr>
        {{/proofs}}</tbody></table>
        <p class="quiet">{{t.ledgerHelp}}</p>
        """)

    private static func table(_ rows: String) -> String {
        """
        <table class="stacked sortable"><thead><tr><th scope="col">{{t.accountName}}</th><th scope="col" class="number">{{t.accountOpening}}</th>
        <th scope="col" class="number">{{t.debit}}</th><th scope="col" class="number">{{t.credit}}</th>
        <th scope="col" class="number">{{t.accountClosing}}</th></tr></thead><tbody>
        {{#\(rows)}}<tr><th scope="row">{{#path}}<a href="{{path}}">{{title}}</a>{{/path}}{{^path}}{{title}}{{/path}}
        <br><span class="quiet"><code>{{code}}</code> {{#isDebit}}{{t.debit}}{{/isDebit}}{{^isDebit}}{{t.credit}}{{/isDebit}}</span></th>
        <td class="number">{{opening}}</td><td class="number">{{debits}}</td><td class="number">{{credits}}</td>
        <td class="number">{{balance}}</td></tr>
        {{/\(rows)}}</tbody></table>
        """
    }

    static let texts: [ConsoleText] = [
        .init("ledgerTitle", "Ledger", "원장"), .init("accountName", "Account", "계정"),
        .init("accountOpening", "Opening balance", "기초 잔액"), .init("accountClosing", "Balance", "기말 잔액"),
        .init("debit", "Debit", "차변"), .init("credit", "Credit", "대변"), .init("money", "Money", "금액"),
        .init("accountsIdle", "Accounts with nothing on them:", "잔액과 거래가 없는 계정:"),
        .init("accountGroup_assets", "Assets", "자산"), .init("accountGroup_liabilities", "Liabilities", "부채"),
        .init("accountGroup_revenue", "Revenue", "수익"), .init("accountGroup_costs", "Costs", "비용"),
        .init("accountGroup_coins", "Coins", "코인"),
        .init("proof", "Debits and credits", "차변과 대변"), .init("proofUnit", "In", "단위"),
        .init("debitsMoved", "Debits of the period", "기간 차변 합계"),
        .init("creditsMoved", "Credits of the period", "기간 대변 합계"),
        .init("debitBalances", "Debit balances", "차변 잔액 합계"),
        .init("creditBalances", "Credit balances", "대변 잔액 합계"), .init("proofHolds", "Equal", "일치"),
        .init("proofYes", "equal", "일치"), .init("proofNo", "not equal", "불일치"),
        .init(
            "ledgerHelp",
            "A balance is on the side that is named with its account. A period counts what happened in it, as the trial balance "
                + "with totals does.",
            "잔액은 계정에 표시한 쪽을 기준으로 합니다. 합계잔액시산표와 같이 발생일 기준입니다."),
    ]
}
