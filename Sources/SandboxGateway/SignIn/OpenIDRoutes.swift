import Crypto
import FoundationEssentials
import Hummingbird
import Mustache
import SandboxSupport

/// A small OpenID Connect provider for development, with people who sign in with one click.
///
/// It does what a provider does (discovery, authorization code with PKCE, signed ID tokens, keys), and no more: no
/// passwords, and redirects to this machine only.
struct OpenIDRoutes: Sendable {
    let state: OpenIDState
    let client: SandboxGatewayConfiguration.SignInClient

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("oidc/.well-known/openid-configuration", use: metadata)
        router.get("oidc/jwks", use: keys)
        router.get("oidc/authorize", use: choose)
        router.post("oidc/authorize", use: authorize)
        router.post("oidc/token", use: token)
    }

    private func metadata(_ request: Request, _ context: SandboxRequestContext) throws -> Response {
        let issuer = Self.issuer(request)
        return Self.json([
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/jwks"),
            "response_types_supported": .array([.string("code")]),
            "subject_types_supported": .array([.string("public")]),
            "id_token_signing_alg_values_supported": .array([.string("ES256")]),
            "code_challenge_methods_supported": .array([.string("S256")]),
            "token_endpoint_auth_methods_supported": .array([.string("client_secret_basic")]),
        ])
    }

    private func keys(_ request: Request, _ context: SandboxRequestContext) -> Response {
        Self.json(["keys": .array([.object(state.publicKey)])])
    }

    /// The page with a button for each person.
    private func choose(_ request: Request, _ context: SandboxRequestContext) -> Response {
        let query = request.query
        if let refusal = refusal(of: query) { return HTMLPage.refusal(refusal) }
        return HTMLPage.render(
            Self.people, title: "Sign in",
            [
                "fields": query.pairs.map { ["name": $0.name, "value": $0.value] },
                "people": SandboxPerson.all.map { ["subject": $0.subject, "name": $0.name, "role": $0.role] },
            ])
    }

    private func authorize(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = FormPairs(String(buffer: try await request.body.collect(upTo: Request.maxBodyBytes)))
        if let refusal = refusal(of: fields) { return HTMLPage.refusal(refusal) }
        var answer = [("state", fields["state"] ?? ""), ("iss", Self.issuer(request))]
        if let person = SandboxPerson.all.first(where: { $0.subject == fields["person"] }) {
            let grant = OpenIDState.Grant(
                person: person, redirectURI: fields["redirect_uri"] ?? "", nonce: fields["nonce"],
                challenge: fields["code_challenge"] ?? "")
            answer.insert(("code", await state.makeCode(for: grant)), at: 0)
        } else {
            answer.insert(("error", "access_denied"), at: 0)
        }
        return HTMLPage.seeOther(RedirectURL.with(answer, fields["redirect_uri"] ?? ""))
    }

    /// Why a request to sign in is refused without a redirect.
    private func refusal(of fields: FormPairs) -> ControlError? {
        if fields["client_id"] != client.id { return ControlError(.badRequest, "client_id", "is unknown") }
        if fields["response_type"] != "code" { return ControlError(.badRequest, "response_type", "must be code") }
        if fields["code_challenge_method"] != "S256" || (fields["code_challenge"] ?? "").utf8.count != 43 {
            return ControlError(.badRequest, "code_challenge", "must be a SHA-256 (S256)")
        }
        let host = fields["redirect_uri"].flatMap { URL(string: $0)?.host() }
        if !["127.0.0.1", "localhost", "::1"].contains(host ?? "") {
            return ControlError(.badRequest, "redirect_uri", "must be on this machine")
        }
        return nil
    }

    private func token(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let fields = FormPairs(String(buffer: try await request.body.collect(upTo: Request.maxBodyBytes)))
        let secret = Data("\(client.id):\(client.secret)".utf8).base64EncodedString()
        guard request.headers[.authorization] == "Basic \(secret)" else {
            return Self.json(["error": .string("invalid_client")], status: .unauthorized)
        }
        let verifier = Data(SHA256.hash(data: Data((fields["code_verifier"] ?? "").utf8)))
        guard fields["grant_type"] == "authorization_code", let grant = await state.redeem(fields["code"] ?? ""),
            grant.redirectURI == fields["redirect_uri"], grant.challenge == Base64URL.encode(verifier)
        else { return Self.json(["error": .string("invalid_grant")], status: .badRequest) }
        let token = try await state.token(for: grant, issuer: Self.issuer(request), client: client.id)
        return Self.json([
            "access_token": .string(OpenIDState.random()), "token_type": .string("Bearer"),
            "expires_in": .int(300), "id_token": .string(token),
        ])
    }

    /// The issuer is where the request went, so that the provider needs no setting of its own address.
    private static func issuer(_ request: Request) -> String {
        "http://\(request.head.authority ?? "127.0.0.1")/oidc"
    }

    private static func json(_ members: [String: JSONValue], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONValue.object(members).jsonText)))
    }

    private static let people = HTMLPage.template(
        """
        <div class="narrow">
        <form method="post" action="/oidc/authorize">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
        {{/fields}}
        <div class="choices">
        {{#people}}<button name="person" value="{{subject}}">{{name}} ({{role}})</button>
        {{/people}}
        <button name="person" value="">Cancel</button>
        </div>
        </form>
        </div>
        """)
}

/// A person who can sign in.
struct SandboxPerson: Sendable {
    let subject: String
    let name: String
    let role: String

    static let all = [
        SandboxPerson(subject: "viewer-1", name: "Vera Im", role: "viewer"),
        SandboxPerson(subject: "support-1", name: "Suho Park", role: "support"),
        SandboxPerson(subject: "finance-1", name: "Fin Cho", role: "finance"),
        SandboxPerson(subject: "administrator-1", name: "Ada Yun", role: "administrator"),
        SandboxPerson(subject: "guest-1", name: "Guest", role: "guest"),
    ]
}
