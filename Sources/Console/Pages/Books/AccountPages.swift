import Hummingbird
import Ledger
import LedgerServer

/// The postings of an account, and a journal entry.
struct AccountPages: Sendable {
    let journal: Journal

    private static let pageSize = 50

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("accounts", needs: .readBooks, account)
        routes.page("entries/{id}", needs: .readBooks, entry)
    }

    /// `GET /console/accounts?account=…`: newest first; `?before=` for what was recorded before a day.
    private func account(_ visit: Visit) async throws -> Response {
        guard let name = visit.query("account") else {
            throw Problem.invalid(member: "account", "account is required, such as coins:issued/0")
        }
        let given = visit.given("account", "before")
        let list = "account " + ConsolePath.query(given)
        let found = try await journal.postings(
            of: name, before: try visit.day("before"), after: try visit.cursor(of: list, as: AccountPostingCursor.self),
            limit: Self.pageSize)
        guard let found else { throw Problem(.notFound, "the account does not exist") }
        let currency = found.currency.code
        func amount(_ value: Int64) -> String { currency == "COIN" ? Show.number(value) : Show.money(value, currency) }
        let rows = found.postings.elements.map { posting -> [String: Any] in
            [
                "entry": String(posting.entry), "kind": posting.kind, "reference": posting.reference,
                "debit": posting.side == .debit ? amount(posting.amount) : "",
                "credit": posting.side == .credit ? amount(posting.amount) : "", "balance": amount(posting.balance),
                "time": Show.time(posting.recordedAt, in: visit.timeZone),
            ]
        }
        var values: [String: Any] = [
            "balance": amount(found.balance), "account": name, "before": visit.query("before") ?? "",
            "section": rows.isEmpty ? [] : [["rows": rows]],
        ]
        values["next"] = try visit.next("/console/accounts", given, of: list, found.postings.next)
        return Layout.page(visit, title: name, Self.accountTemplate, values)
    }

    /// `GET /console/entries/{id}`.
    private func entry(_ visit: Visit) async throws -> Response {
        guard let entry = try await journal.find(try visit.context.pathID()) else { throw Problem(.notFound) }
        let lines = entry.lines.map { line -> [String: Any] in
            let currency = line.currency.code
            let amount = currency == "COIN" ? Show.number(line.amount) : Show.money(line.amount, currency)
            return [
                "account": line.account, "path": "/console/accounts?" + ConsolePath.query([("account", line.account)]),
                "debit": line.side == .debit ? amount : "", "credit": line.side == .credit ? amount : "",
            ]
        }
        return Layout.page(
            visit, title: "\(visit.text("entry")) \(entry.id)", Self.entryTemplate,
            [
                "kind": entry.kind, "reference": entry.reference, "lines": lines,
                "effective": Show.time(entry.effectiveAt, in: visit.timeZone),
                "recorded": Show.time(entry.recordedAt, in: visit.timeZone),
            ])
    }

    static let accountTemplate = ConsoleTemplate(
        """
        <p>{{t.balanceNow}} <strong>{{balance}}</strong></p>
        <form class="line" method="get" action="/console/accounts"><input type="hidden" name="account" value="{{account}}">
        <div class="field"><label for="before">{{t.to}}</label><input id="before" name="before" type="date" value="{{before}}"></div>
        <button>{{t.filter}}</button></form>
        {{^section}}<p class="quiet" role="status">{{t.none}}</p>{{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.entry}}</th><th scope="col">{{t.act}}</th>
        <th scope="col" class="number">{{t.debit}}</th><th scope="col" class="number">{{t.credit}}</th>
        <th scope="col" class="number">{{t.balanceAfter}}</th><th scope="col">{{t.recorded}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/entries/{{entry}}">{{entry}}</a></th><td>{{kind}} {{reference}}</td>
        <td class="number">{{debit}}</td><td class="number">{{credit}}</td><td class="number">{{balance}}</td><td>{{time}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let entryTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.act}}</dt><dd>{{kind}} {{reference}}</dd></div>
        <div><dt>{{t.effective}}</dt><dd>{{effective}}</dd></div><div><dt>{{t.recorded}}</dt><dd>{{recorded}}</dd></div></dl>
        <table><thead><tr><th scope="col">{{t.accountName}}</th><th scope="col" class="number">{{t.debit}}</th>
        <th scope="col" class="number">{{t.credit}}</th></tr></thead><tbody>
        {{#lines}}<tr><th scope="row"><a href="{{path}}">{{account}}</a></th><td class="number">{{debit}}</td>
        <td class="number">{{credit}}</td></tr>
        {{/lines}}</tbody></table>
        """)

    static let texts: [ConsoleText] = [
        .init("balanceNow", "Balance now:", "현재 잔액:"), .init("entry", "Journal entry", "분개"),
        .init("balanceAfter", "Balance after it", "이후 잔액"), .init("recorded", "Recorded", "기록 시각"),
        .init("effective", "Effective", "발생 시각"),
    ]
}
