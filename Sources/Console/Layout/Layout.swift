import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// The frame of all pages: head, navigation, and the content of one page.
enum Layout {
    /// What browsers may load and send: the console's own files and forms.
    static let securityPolicy = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        frame-ancestors 'none'; base-uri 'none'
        """

    /// A page of a person who is signed in, with the counts of what waits.
    ///
    /// - Parameters:
    ///   - title: the title in the person's language.
    ///   - isID: whether the title is an id and nothing else, which has a button that copies it.
    ///   - values: the values of the template; `t` has the texts, and `token` what forms carry.
    static func page(
        _ visit: Visit, title: String, isID: Bool = false, status: HTTPResponse.Status = .ok,
        _ template: ConsoleTemplate, _ values: [String: Any] = [:]
    ) async -> Response {
        let waiting = await visit.countWaiting()
        let shared: [String: Any] = ["t": Texts.table(visit.language), "token": visit.formToken]
        let content = template.render(values.merging(shared) { $1 })
        var frame = frame(title, visit.language, content, path: visit.request.ownPath, visit.environment)
        frame["isID"] = isID
        frame["person"] = Navigation.values(visit, waiting).merging([
            "name": visit.person.name, "role": visit.text("role_\(visit.person.role.rawValue)"),
            "token": visit.formToken, "query": visit.query("q") ?? "",
        ]) { $1 }
        if let notice = visit.query("notice"), notice.hasPrefix("notice"),
            let text = Texts.table(visit.language)[notice]
        {
            frame["notice"] = text
        }
        return html(frame, status)
    }

    /// A page for anybody.
    static func publicPage(
        _ request: Request, in environment: ServiceEnvironment, title: String, status: HTTPResponse.Status = .ok,
        _ template: ConsoleTemplate, _ values: [String: Any] = [:]
    ) -> Response {
        let language = Language(of: request)
        let content = template.render(values.merging(["t": Texts.table(language)]) { $1 })
        return html(frame(title, language, content, path: request.ownPath, environment), status)
    }

    private static func frame(
        _ title: String, _ language: Language, _ content: String, path: String, _ environment: ServiceEnvironment
    ) -> [String: Any] {
        let others = Language.allCases.filter { $0 != language }.map { other in
            [
                "code": other.rawValue, "name": other.name,
                "path": "/console/language/\(other.rawValue)?to=" + Base64URL.encode(ConsolePath.own(path).utf8),
            ]
        }
        var values: [String: Any] = [
            "t": Texts.table(language), "title": title, "language": language.rawValue, "content": content,
            "languages": others,
        ]
        values["band"] = EnvironmentBand.values(environment, language)
        return values
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
        <title>{{#band}}[{{name}}] {{/band}}{{title}} · ledgerd</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/console/console.css">
        <script src="/console/console.js" defer></script>
        </head>
        <body{{#person}} class="framed"{{/person}}>
        <a class="skip" href="#content">{{t.skip}}</a>
        <header>
        {{#band}}<p class="band"><strong>{{name}}</strong> {{text}}</p>{{/band}}
        <a class="home" href="/console">ledgerd</a>
        {{#person}}
        <form class="find" method="get" action="/console/search" role="search">
        <label for="find">{{t.searchTitle}}</label>
        <input id="find" name="q" value="{{query}}" autocomplete="off" spellcheck="false" autocapitalize="off"
        placeholder="{{t.searchPlaceholder}}">
        <button>{{t.searchButton}}</button>
        </form>
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
        {{#person}}
        <nav class="side" aria-label="{{t.navigation}}">
        <input class="drawer" type="checkbox" id="drawer" autocomplete="off">
        <label for="drawer">{{t.menu}}{{#waitsInAll}}
        <span class="badge">{{waitsInAll}}<span class="hidden"> {{t.waitingCount}}</span></span>{{/waitsInAll}}</label>
        <div class="groups">
        {{#groups}}<div class="group"><p id="group-{{id}}">{{text}}</p><ul aria-labelledby="group-{{id}}">
        {{#links}}<li><a href="{{path}}"{{#current}} aria-current="{{current}}"{{/current}}><span>{{text}}</span>{{#waits}}
        <span class="badge">{{waits}}<span class="hidden"> {{t.waitingCount}}</span></span>{{/waits}}</a></li>
        {{/links}}</ul></div>
        {{/groups}}</div>
        </nav>
        {{/person}}
        <main id="content" tabindex="-1" \(scriptWords)>
        <h1>{{#isID}}<span class="id">{{title}}</span>{{/isID}}{{^isID}}{{title}}{{/isID}}</h1>
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

    /// The user in a parameter, if given.
    func user(_ name: String) throws(Problem) -> UserID? {
        guard let text = query(name) else { return nil }
        guard let user = UserID(rawValue: text) else {
            throw .invalid(member: name, "\(name) must be \(UserID.rule)")
        }
        return user
    }

    /// The end of the days in the query: of the last one (`last`), as people fill it in, or the beginning of the day after it, as
    /// links have it, and as the API and exports do.
    ///
    /// - Parameter name: the parameter that links have.
    func endOfDays(_ name: String = "to") throws(Problem) -> Date? {
        if let last = try day("last") { endOfDay(last) } else { try day(name) }
    }

    /// The first moment of the day after a moment's.
    func endOfDay(_ moment: Date) -> Date {
        let next = CivilDate(of: moment, in: timeZone).daysSince1970 + 1
        return Date(timeIntervalSince1970: Double(timeZone.startOfDay(next)))
    }

    /// The last day of a period that ends at a moment, for a form; empty: the period has no end.
    func lastDay(before end: Date?) -> String {
        end.map { CivilDate(of: $0.addingTimeInterval(-1), in: timeZone).description } ?? ""
    }

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
