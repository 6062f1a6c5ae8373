import Foundation
import Hummingbird
import Ledger
import LedgerServer

/// A request of a person who is signed in and may make it.
struct Visit: Sendable {
    let request: Request
    var context: LedgerdRequestContext
    let session: ConsoleSession
    let language: Language
    /// The fields of the form; empty for a page.
    let form: ConsoleForm
    /// The token of the session, which its forms carry in another form.
    fileprivate let token: String
    /// The time zone of times on pages.
    let timeZone: TimeZone
    /// What the service is for.
    let environment: ServiceEnvironment
    /// Counts how much waits, for the navigation of a page; nil: it could not be counted.
    var countWaiting: @Sendable () async -> WaitingCounts? = { nil }

    var person: Person { session.person }

    init(
        _ request: Request, _ context: LedgerdRequestContext, session: ConsoleSession, token: String,
        form: ConsoleForm = ConsoleForm(), timeZone: TimeZone, environment: ServiceEnvironment
    ) {
        self.request = request
        self.context = context
        self.session = session
        self.token = token
        self.form = form
        self.timeZone = timeZone
        self.environment = environment
        language = Language(of: request)
    }

    /// What the session's forms carry, so that no other site can send them.
    var formToken: String { FormToken.of(token) }

    /// Whether the person may do this.
    func may(_ right: Right) -> Bool { person.role.rights.contains(right) }

    /// A text in the person's language.
    func text(_ key: String) -> String { Texts.text(key, language) }

    /// Sends the browser to a page, where a notice says what was done.
    ///
    /// - Parameter notice: the key of a text that begins with `notice`.
    func redirect(to path: String, notice: String? = nil) -> Response {
        Response.seeOther(path + (notice.map { (path.contains("?") ? "&" : "?") + "notice=\($0)" } ?? ""))
    }
}

/// The token that the forms of a session carry.
enum FormToken {
    /// Another text than the session's token, so that a page never shows that one.
    static func of(_ token: String) -> String { Base64URL.encode(RandomToken.hash("form " + token)) }
}
