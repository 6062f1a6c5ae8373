import CivilTime
import Hummingbird
import Ledger
import LedgerServer

/// The postings of an account over all stripes, and a journal entry.
struct AccountPages: Sendable {
    let journal: Journal

    private static let pageSize = 50
    /// `?view=` of a list that the ledger leads to, whose days mean another time.
    static let ofLedger = "ledger"

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("accounts", needs: .readBooks, account)
        routes.page("entries/{id}", needs: .readBooks, entry)
    }

    /// `GET /console/accounts?account=…`: newest first; `?last=` for what was recorded until the end of
    /// a day, `?before=` for what was before it.
    private func account(_ visit: Visit) async throws -> Response {
        guard let asked = visit.query("account") else {
            throw Problem.invalid(member: "account", "account is required, such as coins:issued")
        }
        // Stripes are for SQL only.
        let name = BookAccount.named(BookAccount.withoutStripe(asked))?.name ?? asked
        let given = visit.given("account", "from", "before", "last", "view")
        let list = "account " + ConsolePath.query(given)
        let end = try visit.endOfDays("before")
        let found = try await journal.postings(
            of: name, before: end, after: try visit.cursor(of: list, as: AccountPostingCursor.self),
            limit: Self.pageSize)
        guard let found else { throw Problem(.notFound, "the account does not exist") }
        let first = try visit.day("from")
        let shown = found.postings.elements.filter { posting in first.map { posting.recordedAt >= $0 } ?? true }
        let rows = shown.map { Self.row($0, found.currency, visit) }
        var values: [String: Any] = [
            "balance": Show.amount(found.balance, found.currency), "account": name,
            "last": visit.lastDay(before: end), "isOfLedger": visit.query("view") == Self.ofLedger,
            "from": visit.query("from") ?? "", "section": Layout.section(rows),
        ]
        if shown.count == found.postings.elements.count {
            values["next"] = try visit.next("/console/accounts", given, of: list, found.postings.next)
        }
        return await Layout.page(visit, title: Self.title(of: name, visit), Self.accountTemplate, values)
    }

    private static func row(_ posting: AccountPosting, _ currency: Currency, _ visit: Visit) -> [String: Any] {
        func amount(_ value: Int64, on side: Side) -> String {
            posting.side == side ? Show.amount(value, currency) : ""
        }
        return [
            "entry": String(posting.entry), "kind": kind(posting.kind, visit), "subject": subject(posting.reference),
            "debit": amount(posting.amount, on: .debit), "credit": amount(posting.amount, on: .credit),
            "balance": Show.amount(posting.balance, currency), "time": visit.show(posting.recordedAt),
            "effective": visit.show(posting.effectiveAt),
        ]
    }

    /// What a kind of entry is called.
    private static func kind(_ name: String, _ visit: Visit) -> String {
        guard EntryKind(rawValue: name) != nil else { return name }
        return visit.text("entry_\(name)")
    }

    /// What an entry records, with the page that shows it.
    private static func subject(_ reference: String) -> [String: Any] {
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        var subject: [String: Any] = ["name": reference]
        guard parts.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return subject }
        switch parts[0] {
        case "purchase", "refund": subject["path"] = SearchPage.address(of: parts[1])
        case "adjustment": subject["path"] = "/console/adjustments/\(parts[1])"
        case "revaluation": subject["path"] = "/console/revaluations"
        case "payout": subject["path"] = "/console/payouts/\(parts[1])"
        default: break
        }
        return subject
    }

    /// The account's name in the person's language; that of a user's or provider's with its code.
    private static func title(of code: String, _ visit: Visit) -> String {
        guard let account = BookAccount.holding(code) else { return code }
        let title = visit.language == .korean ? account.korean : account.english
        return account.name == code ? title : "\(title), \(code)"
    }

    /// `GET /console/entries/{id}`.
    private func entry(_ visit: Visit) async throws -> Response {
        guard let entry = try await journal.find(try visit.context.pathID()) else { throw Problem(.notFound) }
        let lines = entry.lines.map { line -> [String: Any] in
            let amount = Show.amount(line.amount, line.currency)
            let code = BookAccount.withoutStripe(line.account)
            return [
                "title": Self.title(of: code, visit), "code": code,
                "path": "/console/accounts?" + ConsolePath.query([("account", code)]),
                "debit": line.side == .debit ? amount : "", "credit": line.side == .credit ? amount : "",
            ]
        }
        var values: [String: Any] = [
            "kind": Self.kind(entry.kind, visit), "subject": Self.subject(entry.reference), "lines": lines,
            "effective": visit.show(entry.effectiveAt), "recorded": visit.show(entry.recordedAt),
        ]
        if let user = Self.user(of: entry) {
            values["customer"] = CustomerPath.link(to: user)
        }
        return await Layout.page(visit, title: "\(visit.text("entry")) \(entry.id)", Self.entryTemplate, values)
    }

    /// The user whose accounts an entry posts to.
    private static func user(of entry: JournalRecord) -> UserID? {
        for line in entry.lines {
            for (prefix, suffixes) in [
                ("wallet:", [":paid", ":bonus"]), ("held:", [":paid", ":bonus"]), ("debt:", [""]),
            ]
            where line.account.hasPrefix(prefix) {
                guard let suffix = suffixes.first(where: { line.account.hasSuffix($0) }) else { continue }
                return UserID(rawValue: String(line.account.dropFirst(prefix.count).dropLast(suffix.count)))
            }
        }
        return nil
    }

    static let accountTemplate = ConsoleTemplate(
        """
        <p><code class="id">{{account}}</code></p>
        <p>{{t.balanceNow}} <strong>{{balance}}</strong></p>
        <form class="line" method="get" action="/console/accounts"><input type="hidden" name="account" value="{{account}}">
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" value="{{from}}"></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" value="{{last}}"></div>
        <button>{{t.filter}}</button></form>
        {{#isOfLedger}}<p class="warning" role="status">{{t.postingsOfLedger}}</p>{{/isOfLedger}}
        {{^isOfLedger}}<p class="quiet">{{t.postingsHelp}}</p>{{/isOfLedger}}
        {{^section}}\(FormPart.empty("postingsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.entry}}</th><th scope="col">{{t.act}}</th>
        <th scope="col" class="number">{{t.debit}}</th><th scope="col" class="number">{{t.credit}}</th>
        <th scope="col" class="number">{{t.postingBalance}}</th><th scope="col">{{t.recorded}}</th>
        <th scope="col">{{t.effective}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/entries/{{entry}}">{{entry}}</a></th>
        <td>{{kind}} {{#subject}}{{#path}}<a href="{{path}}">{{name}}</a>{{/path}}{{^path}}{{name}}{{/path}}{{/subject}}</td>
        <td class="number">{{debit}}</td><td class="number">{{credit}}</td><td class="number">{{balance}}</td><td>{{time}}</td>
        <td>{{effective}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        <p><a class="button" href="/console/ledger">{{t.ledgerTitle}}</a></p>
        """)

    static let entryTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.act}}</dt><dd>{{kind}}
        {{#subject}}{{#path}}<a href="{{path}}">{{name}}</a>{{/path}}{{^path}}{{name}}{{/path}}{{/subject}}</dd></div>
        {{#customer}}<div><dt>{{t.searchUser}}</dt><dd><a href="{{path}}">{{name}}</a></dd></div>{{/customer}}
        <div><dt>{{t.effective}}</dt><dd>{{effective}}</dd></div><div><dt>{{t.recorded}}</dt><dd>{{recorded}}</dd></div></dl>
        <table class="stacked"><thead><tr><th scope="col">{{t.accountName}}</th><th scope="col" class="number">{{t.debit}}</th>
        <th scope="col" class="number">{{t.credit}}</th></tr></thead><tbody>
        {{#lines}}<tr><th scope="row"><a href="{{path}}">{{title}}</a><br><code class="quiet">{{code}}</code></th><td class="number">{{debit}}</td>
        <td class="number">{{credit}}</td></tr>
        {{/lines}}</tbody></table>
        """)

    static let texts: [ConsoleText] = [
        .init("balanceNow", "Balance now:", "현재 잔액:"), .init("entry", "Journal entry", "분개"),
        .init(
            "postingsNone", "Nothing was posted to this account in the period. Choose another period.",
            "이 기간에 이 계정에 전기한 금액이 없습니다. 다른 기간을 선택하세요."),
        .init("postingBalance", "Balance after it", "이후 잔액"), .init("recorded", "Recorded", "기록 시각"),
        .init("effective", "Happened", "발생 시각"),
        .init(
            "postingsOfLedger",
            "The ledger counts an entry on the day on which it happened, and this list on the day on which it was recorded: they "
                + "differ by what was recorded on another day. The last one recorded is first.",
            "원장은 발생일 기준이고 이 목록은 기록일 기준입니다. 다른 날에 기록된 거래만큼 합계가 다릅니다. 최근에 기록된 것이 먼저입니다."),
        .init(
            "postingsHelp", "In the order of recording, the last one first; the days are those of recording.",
            "기록 순서이며 최근 것이 먼저입니다. 날짜는 기록일 기준입니다."),
    ]
}
