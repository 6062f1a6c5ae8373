import LedgerServer
import OutboundHTTP
import WireFormats

/// Whether people can sign in to the console, for `ledgerd check`.
///
/// The provider is asked without effects: for its documents, for the page of a sign-in, and for the tokens of a code that
/// it never gave.
struct SignInChecks: Sendable {
    let configuration: ConsoleConfiguration
    private let requests: OpenIDRequests
    /// What the provider must see as a sign-in, and nobody goes on with.
    private let attempt = SignInAttempt(destination: "/console")

    enum Name {
        static let address = "console address"
        static let provider = "console provider"
        static let keys = "console keys"
        static let signIn = "console sign-in"
        static let client = "console client"
    }

    /// - Parameter limit: how long each test may take.
    init(_ configuration: ConsoleConfiguration, over transport: any HTTPTransport, limit: Duration) {
        self.configuration = configuration
        requests = OpenIDRequests(transport: transport, limit: limit)
    }

    func run() async -> [CheckResult] {
        do throws(OpenIDFault) {
            let found = try await requests.metadata(of: configuration.issuer)
            async let keys = keys(found)
            async let signIn = signIn(found)
            async let client = client(found)
            return await [address, provider(found), keys, signIn, client]
        } catch {
            let others = [Name.keys, Name.signIn, Name.client]
            return [address, .failed(Name.provider, error.reason, do: error.advice)]
                + others.map { .skipped($0, "the provider's document can't be used") }
        }
    }

    // MARK: - Without a request

    private var address: CheckResult {
        let origin = configuration.origin
        guard let url = try? HTTPURL(origin), !url.isOnThisMachine else {
            return .warning(
                Name.address, "\(origin) is on this machine: nobody else can sign in",
                do: "set LEDGERD_CONSOLE_URL to the https address of the proxy in front of LEDGERD_ADMIN_LISTEN")
        }
        return .ok(Name.address, "\(origin)/console, and the provider returns people to \(configuration.redirectURI)")
    }

    private func provider(_ found: OpenIDMetadata) -> CheckResult {
        if let algorithms = found.algorithms, IDToken.algorithms.isDisjoint(with: algorithms) {
            return .failed(
                Name.provider, "its ID tokens have none of the algorithms \(IDToken.algorithmsText)",
                do: "let the provider sign this client's ID tokens with one of them")
        }
        if let methods = found.challengeMethods, !methods.contains("S256") {
            return .warning(
                Name.provider, "it does not offer PKCE with S256, which every sign-in uses",
                do: "turn it on at the provider, for this client")
        }
        if let url = try? HTTPURL(found.authorizationEndpoint), url.isOnThisMachine {
            return .warning(
                Name.provider, "it is on this machine: nobody else can sign in",
                do: "set LEDGERD_CONSOLE_ISSUER to the provider of your company")
        }
        return .ok(Name.provider, "its document names \(configuration.issuer) and has all endpoints")
    }

    // MARK: - With a request

    private func keys(_ found: OpenIDMetadata) async -> CheckResult {
        do throws(OpenIDFault) {
            let keys = try await requests.keys(at: found.keysURL)
            let usable = IDToken.algorithms.filter { !keys.candidates(algorithm: $0, id: nil).isEmpty }.sorted()
            guard !usable.isEmpty else {
                return .failed(
                    Name.keys, "none of the provider's keys is for \(IDToken.algorithmsText)",
                    do: "let the provider sign ID tokens with one of them")
            }
            return .ok(Name.keys, "there are keys for \(usable.joined(separator: ", "))")
        } catch {
            return .failed(Name.keys, error.reason, do: error.advice)
        }
    }

    /// Asks for the page that a browser would see.
    ///
    /// A provider that does not know the client or the address of the redirect answers with an error and not with a
    /// redirect (RFC 6749, 4.1.2.1). Some show it with status 200, so success proves less than failure.
    private func signIn(_ found: OpenIDMetadata) async -> CheckResult {
        let advice =
            "register \(configuration.redirectURI) as a redirect URI of the client \(configuration.clientID), with the "
            + "authorization code flow and the scopes \(configuration.scopes.joined(separator: ", "))"
        do throws(OpenIDFault) {
            let text = configuration.authorizationURL(of: attempt, at: found)
            guard let url = try? HTTPURL(text, isBase: false) else { throw .noEndpoint("authorization_endpoint") }
            let response = try await requests.response(to: HTTPRequest(.get, url, truncatesResponse: true))
            if let error = redirectedError(response) {
                return .failed(Name.signIn, "the provider refuses a sign-in: \(error)", do: advice)
            }
            switch response.status {
            case 200..<400:
                return .ok(Name.signIn, "the provider takes requests to sign in for \(configuration.clientID)")
            case 400, 401, 404:
                return .failed(Name.signIn, "the provider refuses a sign-in with status \(response.status)", do: advice)
            default:
                return .warning(
                    Name.signIn, "the provider's sign-in has status \(response.status) for this machine",
                    do: "sign in once with a browser: open \(configuration.origin)/console")
            }
        } catch {
            return .failed(Name.signIn, error.reason, do: error.advice)
        }
    }

    /// The error that the browser would bring back to the console.
    private func redirectedError(_ response: HTTPResponse) -> String? {
        guard (300..<400).contains(response.status), let location = response.headers["location"],
            location.hasPrefix(configuration.redirectURI + "?"),
            let pairs = FormText.decodePairs(location.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        else { return nil }
        return pairs.first { $0.name == "error" }.map { Self.code($0.value) ?? "unknown error" }
    }

    /// Asks for the tokens of a code that the provider never gave: who may ask is told that the code is wrong
    /// (RFC 6749, 5.2).
    private func client(_ found: OpenIDMetadata) async -> CheckResult {
        let what =
            configuration.clientID + (configuration.clientSecret == nil ? " without a secret" : " and its secret")
        do throws(OpenIDFault) {
            let response = try await requests.response(
                to: configuration.tokenRequest(for: "ledgerd-check", of: attempt, at: found))
            let error = (try? JSONParser.parse(response.body))?["error"]?.text.flatMap(Self.code)
            let answer = "status \(response.status)" + (error.map { ", \($0)" } ?? "")
            switch (response.status, error) {
            case (_, "invalid_grant"): return .ok(Name.client, "the provider accepts \(what)")
            case (401, _), (_, "invalid_client"), (_, "unauthorized_client"), (_, "access_denied"):
                return .failed(
                    Name.client, "the provider refuses \(what): \(answer)",
                    do: "copy the client's id to LEDGERD_CONSOLE_CLIENT_ID and its secret to "
                        + "LEDGERD_CONSOLE_CLIENT_SECRET again, and allow the client the authorization code flow")
            case (_, "redirect_uri_mismatch"):
                return .failed(
                    Name.client, "the provider does not know the address that it returns people to: \(answer)",
                    do: "register \(configuration.redirectURI) as a redirect URI of the client")
            default:
                return .warning(
                    Name.client, "the provider's response to a wrong code does not tell: \(answer)",
                    do: "sign in once with a browser: open \(configuration.origin)/console")
            }
        } catch {
            return .failed(Name.client, error.reason, do: error.advice)
        }
    }

    /// An error code of OAuth; nil for a text of another form, which is not repeated.
    private static func code(_ text: String) -> String? {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let isCode =
            (1...50).contains(text.utf8.count)
            && text.utf8.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "_") }
        return isCode ? text : nil
    }
}

extension HTTPURL {
    /// Whether only this machine reaches it.
    fileprivate var isOnThisMachine: Bool {
        !isSecure || host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }
}
