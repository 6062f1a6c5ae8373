import Hummingbird

/// The console's cookies.
///
/// `__Host-` lets browsers take them only from this origin, over HTTPS (or from this machine), and for all paths: no other
/// host of the domain can set them. `Lax`, because browsers don't send `Strict` cookies after the redirect from the
/// provider; requests that change something also need their origin and the session's token.
enum ConsoleCookie: String {
    /// The token of a session.
    case session = "__Host-ledgerd_console"
    /// The secret of an attempt to sign in.
    case attempt = "__Host-ledgerd_sign_in"
    /// The chosen language.
    case language = "__Host-ledgerd_language"

    /// The header that sets the cookie.
    ///
    /// - Parameter age: for how many seconds; nil: until the browser is closed.
    func header(_ value: String, age: Int? = nil) -> String {
        "\(rawValue)=\(value); Path=/; Secure; HttpOnly; SameSite=Lax" + (age.map { "; Max-Age=\($0)" } ?? "")
    }

    /// The header that deletes the cookie.
    var removal: String { header("", age: 0) }

    /// The value in a request.
    func value(in request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                if trimmed.hasPrefix(rawValue + "=") { return String(trimmed.dropFirst(rawValue.count + 1)) }
            }
        }
        return nil
    }
}
