import Foundation
import Hummingbird
import Ledger
import LedgerServer
import PGVerifier
import Timing
import WireFormats

/// Finds what support is told: a name, the beginning of a user's id, or an amount and a time.
struct SearchPage: Sendable {
    let ledger: Ledger
    /// The names of the gateways that can be asked about what is not found.
    let gateways: [String]

    /// Where it is, below `/console`.
    static let path = "search"

    /// The page's address.
    static let place = "/console/" + path

    /// The page's address for a text.
    static func address(of text: String) -> String { place + "?" + ConsolePath.query([("q", text)]) }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page(Self.path, needs: .read, search)
    }

    /// With `?q=` it goes to the only thing found, or lists what was found.
    private func search(_ visit: Visit) async throws -> Response {
        let now = Time.current.now
        let terms = SearchTerms(visit.query("q") ?? "", now: now, in: visit.timeZone)
        guard !terms.text.isEmpty else {
            return await Layout.page(visit, title: visit.text("searchTitle"), Self.template, ["isStart": true])
        }
        let found = try await find(terms, now, visit.timeZone)
        if let path = Self.destination(of: found) { return visit.redirect(to: path) }
        return await list(found, terms, visit)
    }

    /// What a text names: exactly, then by amount and time, then users that begin with it.
    ///
    /// A number without a comma or `원` is an id before it is an amount.
    private func find(_ terms: SearchTerms, _ now: Date, _ zone: TimeZone) async throws -> [SearchHit] {
        if let beginning = terms.beginning { return try await ledger.search.users(beginningWith: beginning) }
        var found = try await ledger.named(terms.text)
        if terms.amount != nil || terms.period != nil, terms.isExplicit || found.isEmpty {
            let period = terms.period ?? SearchTerms.recent(now, in: zone)
            found += try await ledger.search.paid(
                terms.amount, in: Period(from: period.lowerBound, to: period.upperBound)
            ).filter { hit in !found.contains { $0.kind == hit.kind && $0.id == hit.id } }
        }
        return found.isEmpty ? try await ledger.search.users(beginningWith: terms.text) : found
    }

    /// Where to go without a list; nil: there is something to choose.
    ///
    /// Events of gateways tell only of what else is found, and so does a finding that is over.
    static func destination(of found: [SearchHit]) -> String? {
        let credited = Set(found.filter { $0.kind == .purchase }.compactMap(\.paymentID))
        let things = found.filter { $0.kind != .webhook && !isOver($0, credited) }
        guard let first = things.first else { return nil }
        if things.count == 1 { return path(of: first) }
        // The names of one payment: its order, its purchase, its receipts.
        let isOfPayments = things.contains { $0.paymentID != nil } && Set(things.compactMap(\.paymentID)).count > 1
        guard !isOfPayments, let user = first.user, things.allSatisfy({ $0.user == user && $0.kind != .finding })
        else { return nil }
        return CustomerPath.page(of: user, at: first)
    }

    /// Whether it is a finding with nothing left to decide, because its payment is credited: it was resolved, or says that
    /// nobody has claimed what a receipt has claimed since.
    private static func isOver(_ hit: SearchHit, _ credited: Set<String>) -> Bool {
        guard hit.kind == .finding, let payment = hit.paymentID, credited.contains(payment) else { return false }
        return hit.detail == Finding.Status.resolved.rawValue || hit.state == Finding.Kind.unclaimed.rawValue
    }

    /// The page of what was found; nil: it has none.
    static func path(of hit: SearchHit) -> String? {
        switch hit.kind {
        case .finding: hit.id.map { "/console/findings/\($0)" }
        case .webhook: nil
        default: hit.user.map { CustomerPath.page(of: $0, at: hit) }
        }
    }

    private func list(_ found: [SearchHit], _ terms: SearchTerms, _ visit: Visit) async -> Response {
        let groups = SearchHit.Kind.allCases.compactMap { kind -> [String: Any]? in
            let hits = found.filter { $0.kind == kind }
            guard !hits.isEmpty else { return nil }
            return [
                "title": visit.text("foundGroup_\(kind.rawValue)"),
                "rows": hits.prefix(Search.mostOfKind).map { SearchRow(of: $0, visit).values },
                "hasMore": hits.count > Search.mostOfKind,
            ]
        }
        var values: [String: Any] = ["name": terms.text, "isEmpty": found.isEmpty, "groups": groups]
        if found.allSatisfy({ $0.kind == .webhook }) { values["ask"] = Self.question(terms.text, gateways, visit) }
        return await Layout.page(visit, title: visit.text("searchTitle"), Self.template, values)
    }

    /// The form that asks a gateway about a name; nil: the person may not, or no gateway can know it.
    static func question(_ name: String, _ gateways: [String], _ visit: Visit) -> [String: Any]? {
        let possible = gateways.filter { gateway in
            PaymentIdentity(gateway: gateway, paymentID: name, merchantUID: name).receipt != nil
        }
        guard visit.may(.lookUp), !possible.isEmpty else { return nil }
        let likely = possible.first { isLikely(name, at: $0) }
        return [
            "name": name, "once": RandomToken.make(),
            "gateways": possible.map { ["value": $0, "isChosen": $0 == likely] as [String: Any] },
        ]
    }

    /// Apple's mails have order ids; V1 names payments itself; V2 has the shop's names.
    private static func isLikely(_ name: String, at gateway: String) -> Bool {
        if AppStoreOrderID.isLikely(name) { return gateway == AppStore.name }
        return (gateway == PortOneV1.name) == name.hasPrefix("imp_")
    }

    /// The form of ``question(_:_:_:)``.
    static let askForm = """
        {{#ask}}<form class="act" method="post" action="\(ConsoleAct.lookUp.action(1))">
        <h2>{{t.searchAsk}}</h2><p class="quiet">{{t.searchAskHelp}}</p>
        \(FormPart.hidden())<input type="hidden" name="imp_uid" value="{{name}}"><input type="hidden" name="merchant_uid" value="{{name}}">
        <div class="field"><label for="gateway">{{t.purchaseGateway}}</label><select id="gateway" name="gateway">
        {{#gateways}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{value}}</option>{{/gateways}}</select></div>
        <div><button class="first">{{t.searchAskButton}} <code>{{name}}</code></button></div></form>{{/ask}}
        """

    static let template = ConsoleTemplate(
        """
        {{#isStart}}<p>{{t.searchHelp}}</p><p>{{t.searchHelpTime}}</p>
        <p class="quiet">{{t.searchKey}}</p>{{/isStart}}
        {{#isEmpty}}<p role="status">{{t.searchEmpty}} <code>{{name}}</code></p>
        <p class="quiet">{{t.searchExact}}</p>{{/isEmpty}}
        \(askForm)
        {{#groups}}<h2>{{title}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.foundWhat}}</th><th scope="col">{{t.searchUser}}</th>
        <th scope="col">{{t.payment}}</th><th scope="col" class="number">{{t.amount}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{#path}}<a href="{{path}}">{{title}}</a>{{/path}}{{^path}}{{title}}{{/path}}</th>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td>
        <td>{{#impUID}}<code class="id">{{impUID}}</code> {{/impUID}}{{#merchantUID}}<code class="id">{{merchantUID}}</code>{{/merchantUID}}</td>
        <td class="number">{{amount}}</td><td>{{#state}}<span class="status {{tone}}">{{state}}</span>{{/state}}
        {{#detail}}<span class="quiet">{{detail}}</span>{{/detail}}</td>
        <td>{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.foundMore}}</p>{{/hasMore}}{{/groups}}
        """)
}

/// Paths of a customer's pages.
enum CustomerPath {
    /// The customer's page, at what was found; a purchase is shown there however old it is.
    static func page(of user: UserID, at hit: SearchHit? = nil) -> String {
        let path = "/console/customers/" + FormText.encode(user.rawValue)
        guard let hit, let id = hit.id else { return path }
        return path + (hit.kind == .purchase ? "?purchase=\(id)" : "") + "#\(hit.kind.rawValue)-\(id)"
    }

    /// The customer for a template: `name`, and `path` of the page.
    static func link(to user: UserID) -> [String: String] { ["name": user.rawValue, "path": page(of: user)] }
}
