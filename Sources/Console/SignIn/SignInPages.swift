import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Logging
import Timing
import WireFormats

/// Signing in and out.
struct SignInPages: Sendable {
    let configuration: ConsoleConfiguration
    let provider: OpenIDProvider
    let sessions: ConsoleSessions
    let audit: AuditTrail
    let logger: Logger

    /// How long a person has at the provider.
    private static let patience = 600

    /// Adds the pages that need no session.
    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("sign-in", use: page)
        group.get("sign-in/start", use: start)
        group.get("callback", use: callback)
        group.get("language/{code}", use: choose)
    }

    /// Adds what needs a session.
    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.act(.signOut, signOut)
        routes.act(.signOutEverywhere, signOutEverywhere)
    }

    /// `GET /console/sign-in`.
    private func page(_ request: Request, _ context: LedgerdRequestContext) -> Response {
        page(request, failure: nil, signedOut: request.consoleQuery("out") != nil)
    }

    private func page(_ request: Request, failure: SignInFailure?, signedOut: Bool = false) -> Response {
        let language = Language(of: request)
        let destination = Self.destination(request)
        var values: [String: Any] = ["start": "/console/sign-in/start"]
        if destination != "/console" {
            values["start"] = "/console/sign-in/start?to=" + Base64URL.encode(destination.utf8)
        }
        if let failure { values["failure"] = Texts.text("signIn_\(failure.rawValue)", language) }
        if signedOut { values["isOut"] = true }
        let status: HTTPResponse.Status =
            switch failure {
            case nil: .ok
            case .provider: .badGateway
            case .attempt: .badRequest
            case .refused, .role: .forbidden
            }
        return Layout.publicPage(
            request, in: configuration.environment, title: Texts.text("signInTitle", language), status: status,
            Self.template, values)
    }

    /// `GET /console/sign-in/start`: to the provider.
    private func start(_ request: Request, _ context: LedgerdRequestContext) async -> Response {
        let attempt = SignInAttempt(destination: Self.destination(request))
        do {
            var response = Response.seeOther(try await provider.authorizationURL(of: attempt))
            response.headers[values: .setCookie] = [
                ConsoleCookie.attempt.header(attempt.cookie, age: Self.patience)
            ]
            return response
        } catch {
            return page(request, failure: error)
        }
    }

    /// `GET /console/callback`: back from the provider.
    private func callback(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        do {
            let attempt = try attempt(of: request)
            guard request.consoleQuery("error") == nil, let code = request.consoleQuery("code") else {
                throw SignInFailure.refused
            }
            let claims = try await provider.claims(for: code, of: attempt, at: Time.current.now)
            let person = try person(claims)
            if let old = ConsoleCookie.session.value(in: request) { try await sessions.end(RandomToken.hash(old)) }
            let token = RandomToken.make()
            try await sessions.begin(RandomToken.hash(token), of: person, lasting: configuration.lifetime)
            try await audit.note(.signIn, by: person)
            context.record(person: person.subject)
            var response = Response.seeOther(attempt.destination)
            response.headers[values: .setCookie] = [
                ConsoleCookie.session.header(token), ConsoleCookie.attempt.removal,
            ]
            return response
        } catch let failure as SignInFailure {
            return page(request, failure: failure)
        }
    }

    private func attempt(of request: Request) throws(SignInFailure) -> SignInAttempt {
        guard let cookie = ConsoleCookie.attempt.value(in: request), let attempt = SignInAttempt(cookie: cookie),
            RandomToken.areEqual(request.consoleQuery("state") ?? "", attempt.state),
            provider.isOwn(request.consoleQuery("iss"))
        else { throw .attempt }
        return attempt
    }

    private func person(_ claims: JSON) throws(SignInFailure) -> Person {
        let subject = claims["sub"]?.text ?? ""
        guard let role = configuration.roles.role(of: claims) else {
            logger.notice("a person without a role tried to use the console", metadata: ["sub": "\(subject)"])
            throw .role
        }
        let names = ["name", "preferred_username", "email"].lazy.compactMap { claims[$0]?.text }
        let name = names.map(Self.printable).first { !$0.isEmpty } ?? Self.printable(subject)
        guard let person = Person(subject: subject, name: name, role: role) else {
            logger.error("the ID token's sub is empty, longer than 120 characters, or has a control character")
            throw .provider
        }
        return person
    }

    /// A name as it is shown: at most 80 characters, on one line.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }.prefix(80)))
    }

    /// `POST /console/sign-out`.
    private func signOut(_ visit: Visit) async throws -> Response {
        if let token = ConsoleCookie.session.value(in: visit.request) {
            try await sessions.end(RandomToken.hash(token))
        }
        return try await out(visit, .signOut)
    }

    /// `POST /console/sign-out-everywhere`: ends all sessions of the person.
    private func signOutEverywhere(_ visit: Visit) async throws -> Response {
        _ = try await sessions.endAll(of: visit.person.subject)
        return try await out(visit, .signOutEverywhere)
    }

    private func out(_ visit: Visit, _ act: AuditAct) async throws -> Response {
        try await audit.note(act, by: visit.person)
        var response = Response.seeOther("/console/sign-in?out=1")
        response.headers[values: .setCookie] = [ConsoleCookie.session.removal]
        return response
    }

    /// `GET /console/language/{code}`: a link, because it changes nothing but the browser's own choice.
    private func choose(_ request: Request, _ context: LedgerdRequestContext) throws -> Response {
        guard let language = context.parameters.get("code").flatMap(Language.init(rawValue:)) else {
            throw Problem(.notFound)
        }
        var response = Response.seeOther(Self.decoded(request) ?? "/console")
        response.headers[values: .setCookie] = [
            ConsoleCookie.language.header(language.rawValue, age: 31_536_000)
        ]
        return response
    }

    private static func destination(_ request: Request) -> String { ConsolePath.own(decoded(request) ?? "/console") }

    /// The page in `to`; the sign-in page is one to come back to, but not one to go to after the sign-in.
    private static func decoded(_ request: Request) -> String? {
        guard let bytes = request.consoleQuery("to").flatMap({ Base64URL.decode($0.utf8) }),
            let path = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return ConsolePath.own(path)
    }

    static let template = ConsoleTemplate(
        """
        {{#failure}}<p class="problem" role="alert">{{failure}}</p>{{/failure}}
        {{#isOut}}<p class="notice" role="status">{{t.signedOut}}</p>{{/isOut}}
        <p>{{t.signInText}}</p>
        <p><a class="button first" href="{{start}}">{{t.signInButton}}</a></p>
        """)

    static let texts: [ConsoleText] = [
        .init("signInTitle", "Sign in", "로그인"),
        .init(
            "signInText", "This is the console of ledgerd, for customer support and finance.",
            "ledgerd의 고객 지원 및 재무 콘솔입니다."),
        .init("signInButton", "Sign in with your company account", "회사 계정으로 로그인"),
        .init("signedOut", "You are signed out.", "로그아웃되었습니다."),
        .init(
            "signIn_provider", "The sign-in service can't be used now. Try again, or ask the administrator.",
            "지금은 로그인 서비스를 사용할 수 없습니다. 다시 시도하거나 관리자에게 문의하세요."),
        .init(
            "signIn_attempt", "This sign-in was not started in this browser, or it took too long. Try again.",
            "이 브라우저에서 시작한 로그인이 아니거나 시간이 너무 오래 걸렸습니다. 다시 시도하세요."),
        .init("signIn_refused", "The sign-in was cancelled or refused.", "로그인이 취소되었거나 거부되었습니다."),
        .init(
            "signIn_role", "Your account has no role in this console. Ask the administrator.",
            "이 계정에는 콘솔에서의 역할이 없습니다. 관리자에게 문의하세요."),
    ]
}
