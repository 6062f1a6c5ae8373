import Foundation
import Hummingbird
import Ledger
import LedgerServer

/// Lets people in: finds the session of a request, and checks the right, and for forms also where they come from.
struct ConsoleGate: Sendable {
    let sessions: ConsoleSessions
    let origin: String
    let idle: Duration
    let timeZone: TimeZone
    let environment: ServiceEnvironment

    /// The visit of a request, or the response to somebody who is not signed in.
    enum Entry {
        case visit(Visit)
        case signIn(Response)
    }

    /// - Throws: `forbidden` for a person without the right, and for a form that is not the session's own.
    func enter(_ request: Request, _ context: LedgerdRequestContext, needs right: Right?) async throws -> Entry {
        guard let token = ConsoleCookie.session.value(in: request), token.utf8.count == 43,
            let session = try await sessions.use(RandomToken.hash(token), idle: idle)
        else { return .signIn(signIn(request)) }
        context.record(person: session.person.subject)
        let isForm = request.method == .post
        if isForm { try checkOrigin(request) }
        if let right, !session.person.role.rights.contains(right) { throw Problem(.forbidden) }
        let form = isForm ? try await ConsoleForm(request) : ConsoleForm()
        if isForm, !RandomToken.areEqual(form["token"] ?? "", FormToken.of(token)) {
            throw Problem(.forbidden, "the form belongs to another session; open the page again")
        }
        return .visit(
            Visit(
                request, context, session: session, token: token, form: form, timeZone: timeZone,
                environment: environment))
    }

    /// A page is shown after the sign-in; a form has to be filled in again.
    private func signIn(_ request: Request) -> Response {
        guard request.method == .get || request.method == .head else { return .seeOther("/console/sign-in") }
        let path = ConsolePath.own(request.uri.string)
        return .seeOther(
            path == "/console" ? "/console/sign-in" : "/console/sign-in?to=" + Base64URL.encode(path.utf8))
    }

    /// Refuses a form that another site sends.
    ///
    /// Browsers tell the origin of each form; the newer header is for those that leave it out.
    private func checkOrigin(_ request: Request) throws(Problem) {
        let isOwn =
            if let given = request.headers[.origin] {
                given.lowercased() == origin
            } else {
                request.headers[.secFetchSite] == "same-origin"
            }
        guard isOwn else { throw Problem(.forbidden, "the form was sent from another site") }
    }
}
