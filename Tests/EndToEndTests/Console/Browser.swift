import EndToEndSupport
import Foundation
import LedgerTestSupport
import OutboundHTTP
import TestSupport
import Testing

/// A browser at the console: keeps cookies, follows redirects, and sends forms as browsers do.
final class Browser {
    private let transport: CurlTransport
    /// The console's origin.
    let origin: String
    private(set) var cookies: [String: String] = [:]
    /// The last page.
    private(set) var page: Answer
    /// The path of the last page.
    private(set) var path = "/console"

    /// - Parameter cookies: those of another window of the same browser.
    init(at console: ConsoleHouse, cookies: [String: String] = [:]) {
        self.cookies = cookies
        transport = console.service.transport
        origin = console.origin
        page = Answer(HTTPResponse(status: 0))
    }

    /// Opens a page of the console.
    @discardableResult
    func open(_ path: String, headers: [HTTPRequest.Field] = []) async throws -> Answer {
        try await follow(origin + path, headers: headers)
    }

    /// Signs in as a person of the sandbox's provider.
    @discardableResult
    func signIn(as person: String, to path: String = "/console") async throws -> Answer {
        try await open(path)
        let start = try #require(page.text.firstMatch(of: #/href="(/console/sign-in/start[^"]*)"/#)?.1)
        try await open(Self.unescaped(String(start)))
        return try await choose(person)
    }

    /// Chooses a person at the provider's page.
    @discardableResult
    func choose(_ person: String) async throws -> Answer {
        let fields = hiddenFields() + [("person", person)]
        let provider = try #require(page.text.firstMatch(of: #/action="(/oidc/authorize)"/#)).1
        let answer = try await send(.post, providerOrigin + provider, fields: fields)
        return try await follow(try #require(answer.headers["Location"]))
    }

    /// The hidden fields of the page's last form.
    var fields: [(String, String)] {
        let last = page.text.components(separatedBy: "<form").last ?? ""
        return Self.hiddenFields(last)
    }

    /// Sends the first form of the page that posts to this path, with other values in some fields.
    ///
    /// - Parameter other: where a button of the form sends it instead.
    @discardableResult
    func submit(
        _ action: String, _ values: [(String, String)] = [], sendTo other: String? = nil
    ) async throws -> Answer {
        let pattern =
            "(?s)<form(?=[^>]*method=\"post\")[^>]*action=\"" + NSRegularExpression.escapedPattern(for: action)
            + "\".*?</form>"
        let form = try #require(page.text.firstMatch(of: try Regex(pattern)), "no form for \(action): \(page)")
        let html = String(page.text[form.range])
        let kept = (Self.hiddenFields(html) + Self.selectedFields(html)).filter { field in
            !values.contains { $0.0 == field.0 }
        }
        return try await post(other ?? action, kept + values)
    }

    /// Sends any form.
    @discardableResult
    func post(_ path: String, _ fields: [(String, String)], origin: String?? = nil) async throws -> Answer {
        let from = origin ?? .some(self.origin)
        page = try await send(
            .post, self.origin + path, fields: fields, headers: from.map { [("Origin", $0)] } ?? [])
        guard page.status == 303, let location = page.headers["Location"] else { return page }
        return try await follow(absolute(location))
    }

    /// The token in the page's forms.
    var formToken: String? {
        page.text.firstMatch(of: #/name="token" value="([^"]*)"/#).map { String($0.1) }
    }

    private var providerOrigin = ""

    private func follow(_ url: String, headers: [HTTPRequest.Field] = []) async throws -> Answer {
        var url = url
        for _ in 0..<10 {
            page = try await send(.get, url, headers: headers)
            if url.hasPrefix(origin) {
                path = String(url.dropFirst(origin.count))
            } else {
                providerOrigin = String(url.prefix { $0 != "?" }.split(separator: "/oidc")[0])
            }
            guard page.status == 303, let location = page.headers["Location"] else { return page }
            url = absolute(location)
        }
        Issue.record("too many redirects")
        return page
    }

    private func send(
        _ method: HTTPRequest.Method, _ url: String, fields: [(String, String)] = [],
        headers: [HTTPRequest.Field] = []
    ) async throws -> Answer {
        var headers = headers
        let isConsole = url.hasPrefix(origin)
        if isConsole, !cookies.isEmpty {
            headers.append(("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
        }
        if method == .post { headers.append(("Content-Type", "application/x-www-form-urlencoded")) }
        let body = fields.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
        let target = url.prefix { $0 != "#" }
        let answer = Answer(
            try await transport.send(
                HTTPRequest(
                    method, HTTPURL(String(target)), headers: headers, body: Array(body.utf8),
                    totalTimeout: Patience.hang)))
        if isConsole, let cookie = answer.headers["Set-Cookie"]?.split(separator: ";").first {
            let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(parts[0])] = parts[1].isEmpty ? nil : String(parts[1])
        }
        return answer
    }

    private func absolute(_ location: String) -> String {
        location.hasPrefix("/") ? origin + location : location
    }

    private func hiddenFields() -> [(String, String)] { Self.hiddenFields(page.text) }

    /// What a browser sends of selects that nobody changed.
    private static func selectedFields(_ html: String) -> [(String, String)] {
        html.matches(of: #/(?s)<select[^>]* name="([^"]*)".*?<\/select>/#).compactMap { select in
            select.0.firstMatch(of: #/<option value="([^"]*)" selected>/#).map {
                (String(select.1), unescaped(String($0.1)))
            }
        }
    }

    private static func hiddenFields(_ html: String) -> [(String, String)] {
        html.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#).map {
            (unescaped(String($0.1)), unescaped(String($0.2)))
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

/// A house whose service has a console, with the sandbox as the provider.
struct ConsoleHouse {
    let house: House
    let gateway: Gateway
    let service: Service
    let origin: String

    /// Starts the gateway and the service.
    init(in house: House, _ settings: [String: String] = [:]) async throws {
        self.house = house
        gateway = try await house.startGateway()
        let port = TestPort.next()
        origin = "http://127.0.0.1:\(port)"
        let own = Self.settings(at: port, provider: gateway.url)
        service = try await house.serve(at: gateway, own.merging(settings) { $1 })
    }

    /// What turns the console on, with the sandbox at this URL as the provider.
    static func settings(at port: Int, provider url: String) -> [String: String] {
        [
            "LEDGERD_ADMIN_LISTEN": "127.0.0.1:\(port)", "LEDGERD_CONSOLE_ISSUER": "\(url)/oidc",
            "LEDGERD_CONSOLE_CLIENT_ID": "ledgerd-console", "LEDGERD_CONSOLE_CLIENT_SECRET": "sandbox-console-secret",
            "LEDGERD_CONSOLE_URL": "http://127.0.0.1:\(port)",
        ]
    }

    static func open(
        _ settings: [String: String] = [:], _ body: (ConsoleHouse) async throws -> Void
    ) async throws {
        try await House.with { house in try await body(try await ConsoleHouse(in: house, settings)) }
    }

    /// A browser in which a person is signed in.
    func browser(as person: String) async throws -> Browser {
        let browser = Browser(at: self)
        let page = try await browser.signIn(as: person)
        try #require(page.status == 200 && page.text.contains("/console/sign-out"), "\(page)")
        return browser
    }
}

extension ConsoleHouse {
    /// Buys for ann.
    func buy(_ amount: String = "5000") async throws -> (payment: Payment, id: Int64) {
        let payment = try await gateway.pay(amount)
        return (payment, try #require(try await service.present(payment).purchase["id"].integer))
    }

    /// Buys and spends 300 coins for ann, and returns the spend's entry and the path of the page that reverses it.
    func spendToReverse() async throws -> (entry: Int64, path: String) {
        _ = try await buy()
        let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 300}"#, key: "spend")
        let entry = try #require(spent.json["spend"]["journal_entry_id"].integer)
        return (entry, "/console/customers/ann/reverse/\(entry)")
    }

    /// The path of the only proposal.
    func onlyProposal() async throws -> String {
        "/console/approvals/\(try await house.books.count("SELECT id FROM approval"))"
    }

    /// The path of the newest proposal.
    func newestProposal() async throws -> String {
        "/console/approvals/\(try await house.books.count("SELECT max(id) FROM approval"))"
    }

    /// Has a payment found that nobody presents, and returns its finding's id.
    func find(_ amount: String = "5000", _ members: String = "") async throws -> (payment: Payment, id: Int64) {
        let payment = try await gateway.pay(amount, members)
        _ = try await service.tellV1(Hooks.v1(payment, "paid"))
        try await eventually("it is found") {
            try await service.findings().count { $0["imp_uid"].text == payment.impUID } == 1
        }
        return (payment, try await house.books.count("SELECT id FROM finding WHERE imp_uid = '\(payment.impUID)'"))
    }

    /// Has a payment found that nobody presents, and finance claim it for ann.
    func claim() async throws -> Browser {
        _ = try await find()
        #expect(try await service.findings().count == 1)
        let finance = try await browser(as: "finance-1")
        try await finance.open("/console/findings/1")
        try await finance.submit("/console/findings/1/claim", [("user", "ann"), ("reason", "her card")])
        return finance
    }
}
