import Crypto
import FoundationEssentials
import SandboxSupport

/// The provider's key, made at start, and the codes that were not redeemed yet.
actor OpenIDState {
    /// What a code stands for.
    struct Grant: Sendable {
        let person: SandboxPerson
        let redirectURI: String
        let nonce: String?
        let challenge: String
    }

    private static let mostCodes = 1000
    private let key = P256.Signing.PrivateKey()
    private let now: @Sendable () -> Date
    private var codes: [(code: String, grant: Grant, until: Date)] = []

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// The public key as a JWK.
    nonisolated var publicKey: [String: JSONValue] {
        let point = key.publicKey.rawRepresentation
        return [
            "kty": .string("EC"), "crv": .string("P-256"), "alg": .string("ES256"), "use": .string("sig"),
            "kid": .string("sandbox"), "x": .string(Base64URL.encode(point.prefix(32))),
            "y": .string(Base64URL.encode(point.suffix(32))),
        ]
    }

    /// A code that can be redeemed once, within a minute.
    func makeCode(for grant: Grant) -> String {
        let code = Self.random()
        codes = codes.suffix(Self.mostCodes - 1) + [(code, grant, now().addingTimeInterval(60))]
        return code
    }

    /// What the code stands for, the first time.
    func redeem(_ code: String) -> Grant? {
        guard let index = codes.firstIndex(where: { $0.code == code }) else { return nil }
        let found = codes.remove(at: index)
        return now() < found.until ? found.grant : nil
    }

    /// The ID token of a grant.
    func token(for grant: Grant, issuer: String, client: String) throws -> String {
        let time = Int(now().timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(grant.person.subject), "aud": .string(client),
            "iat": .int(time), "exp": .int(time + 300), "name": .string(grant.person.name),
            "roles": .array([.string(grant.person.role)]),
        ]
        claims["nonce"] = grant.nonce.map(JSONValue.string)
        let header: [String: JSONValue] = ["alg": .string("ES256"), "typ": .string("JWT"), "kid": .string("sandbox")]
        let signed = [header, claims].map { Base64URL.encode(Data(JSONValue.object($0).jsonText.utf8)) }
            .joined(separator: ".")
        return signed + "." + Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode(Data((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }
}
