import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// The frame of all pages: head, navigation, and the content of one page.
enum Layout {
    /// A page in the navigation.
    struct Link: Sendable {
        let path: String
        /// The key of its text.
        let text: String
        let right: Right
    }

    /// The pages in the navigation, in their order.
    static let links: [Link] = [
        Link(path: "/console", text: "searchTitle", right: .read),
        Link(path: "/console/findings", text: "findingsTitle", right: .read),
        Link(path: "/console/refunds", text: "waitingRefundsTitle", right: .read),
        Link(path: "/console/receipts", text: "waitingReceiptsTitle", right: .read),
        Link(path: "/console/approvals", text: "approvalsTitle", right: .read),
        Link(path: "/console/finance", text: "financeTitle", right: .readBooks),
        Link(path: "/console/reports", text: "reportsTitle", right: .readBooks),
        Link(path: "/console/ledger", text: "ledgerTitle", right: .readBooks),
        Link(path: "/console/closing", text: "closingTitle", right: .readBooks),
        Link(path: "/console/reconciliations", text: "reconciliationsTitle", right: .readBooks),
        Link(path: "/console/settlements", text: "settlementsTitle", right: .readBooks),
        Link(path: "/console/transfers", text: "transfersTitle", right: .readBooks),
        Link(path: "/console/providers", text: "providersTitle", right: .readBooks),
        Link(path: "/console/payouts", text: "payoutsTitle", right: .readBooks),
        Link(path: "/console/disputes", text: "disputesTitle", right: .readBooks),
        Link(path: "/console/adjustments", text: "adjustmentsTitle", right: .readBooks),
        Link(path: "/console/live", text: "liveTitle", right: .read),
        Link(path: "/console/products", text: "productsTitle", right: .read),
        Link(path: "/console/endpoints", text: "endpointsTitle", right: .read),
        Link(path: "/console/events", text: "eventsTitle", right: .read),
        Link(path: "/console/audit", text: "auditTitle", right: .audit),
    ]

    /// What browsers may load and send: the console's own files and forms.
    static let securityPolicy = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        frame-ancestors 'none'; base-uri 'none'
        """

    /// A page of a person who is signed in.
    ///
    /// - Parameters:
    ///   - title: the title in the person's language.
    ///   - values: the values of the template; `t` has the texts, and `token` what forms carry.
    static func page(
        _ visit: Visit, title: String, status: HTTPResponse.Status = .ok, _ template: ConsoleTemplate,
        _ values: [String: Any] = [:]
    ) -> Response {
        let shared: [String: Any] = ["t": Texts.table(visit.language), "token": visit.formToken]
        let content = template.render(values.merging(shared) { $1 })
        var frame = frame(title, visit.language, content, path: visit.request.ownPath)
        frame["person"] = [
            "name": visit.person.name, "role": visit.text("role_\(visit.person.role.rawValue)"),
            "token": visit.formToken, "query": visit.query("q") ?? "",
            "links": links.filter { visit.may($0.right) }.map { link in
                [
                    "path": link.path, "text": visit.text(link.text),
                    "isCurrent": visit.request.uri.path == link.path,
                ] as [String: Any]
            },
        ]
        if let notice = visit.query("notice"), notice.hasPrefix("notice"),
            let text = Texts.table(visit.language)[notice]
        {
            frame["notice"] = text
        }
        return html(frame, status)
    }

    /// A page for anybody.
    static func publicPage(
        _ request: Request, title: String, status: HTTPResponse.Status = .ok, _ template: ConsoleTemplate,
        _ values: [String: Any] = [:]
    ) -> Response {
        let language = Language(of: request)
        let content = template.render(values.merging(["t": Texts.table(language)]) { $1 })
        return html(frame(title, language, content, path: request.ownPath), status)
    }

    private static func frame(_ title: String, _ language: Language, _ content: String, path: String) -> [String: Any] {
        let others = Language.allCases.filter { $0 != language }.map { other in
            [
                "code": other.rawValue, "name": other.name,
                "path": "/console/language/\(other.rawValue)?to=" + Base64URL.encode(ConsolePath.own(path).utf8),
            ]
        }
        return [
            "t": Texts.table(language), "title": title, "language": language.rawValue, "content": content,
            "languages": others,
        ]
    }

    private static func html(_ values: [String: Any], _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: securityPolicy,
                .referrerPolicy: "same-origin", .cacheControl: "no-store", .vary: "Cookie, Accept-Language",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: template.render(values))))
    }

    static let template = ConsoleTemplate(
        """
        <!DOCTYPE html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}} · ledgerd</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/console/console.css">
        <script src="/console/console.js" defer></script>
        </head>
        <body>
        <a class="skip" href="#content">{{t.skip}}</a>
        <header>
        <a class="home" href="/console">ledgerd</a>
        {{#person}}
        <form class="find" method="get" action="/console" role="search">
        <label for="find">{{t.searchTitle}}</label>
        <input id="find" name="q" value="{{query}}" autocomplete="off" spellcheck="false" autocapitalize="off"
        placeholder="{{t.searchPlaceholder}}">
        <button>{{t.searchButton}}</button>
        </form>
        <nav aria-label="{{t.navigation}}"><ul>
        {{#links}}<li><a href="{{path}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{text}}</a></li>
        {{/links}}
        </ul></nav>
        <details class="account">
        <summary><span class="hidden">{{t.account}}: </span>{{name}}, {{role}}</summary>
        <form method="post" action="/console/sign-out"><input type="hidden" name="token" value="{{token}}">
        <button>{{t.signOut}}</button>
        <button formaction="/console/sign-out-everywhere">{{t.signOutEverywhere}}</button></form>
        </details>
        {{/person}}
        <p class="languages"><span class="hidden">{{t.languages}}: </span>
        {{#languages}}<a href="{{path}}" lang="{{code}}" hreflang="{{code}}">{{name}}</a>{{/languages}}</p>
        </header>
        <main id="content" tabindex="-1">
        <h1>{{title}}</h1>
        {{#notice}}<p class="notice" role="status">{{notice}}</p>{{/notice}}
        {{{content}}}
        </main>
        </body>
        </html>

        """)
}

extension Visit {
    /// A parameter of the page's query; nil if it is missing, empty or not UTF-8.
    func query(_ name: String) -> String? { request.consoleQuery(name) }

    /// The beginning of the day in a parameter, if given.
    func day(_ name: String) throws(Problem) -> Date? {
        guard let text = query(name) else { return nil }
        guard let date = CalendarMoment.date(text, in: timeZone) else {
            throw .invalid(member: name, "\(name) must be \(CalendarMoment.rule)")
        }
        return date
    }
}

extension Request {
    /// The page to come back to: this one, or the first one if this request was a form.
    fileprivate var ownPath: String { method == .get ? uri.string : "/console" }

    /// A parameter of the query of a console's page.
    ///
    /// Unlike in the API, unknown ones are ignored, because nothing is lost.
    func consoleQuery(_ name: String) -> String? {
        let pairs = FormText.decodePairs((uri.query ?? "").utf8) ?? []
        return pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The only parameter that this page knows, also if it is empty; nil: there is no query.
    ///
    /// It is for a page where nothing means all: there a field that was emptied is not one that was not there, and a
    /// misspelt name is refused.
    func onlyConsoleField(_ name: String) throws(Problem) -> String? { try query(name)[name] }
}
