import Crypto
import FoundationEssentials
import SandboxSupport

/// Signs the OIDC tokens with which Pub/Sub pushes (Authenticate push subscriptions).
struct PushTokenSigner: Sendable {
    let keys: GoogleKeys
    let clock: SandboxClock

    static let issuer = "https://accounts.google.com"

    /// A token of the service account `email`; nil where the defect is that there is none.
    ///
    /// Receivers do not share the sandbox's clock, so its times are the machine's.
    func token(for audience: String, _ email: String, _ defect: TokenDefect) throws -> String? {
        let claims = claims(for: audience, email, defect)
        let key = try keys.current
        let signing = [.unknownKey, .otherKey].contains(defect) ? try GoogleKeys.stranger : key
        let algorithm =
            switch defect {
            case .hs256: "HS256"
            case .unsigned: "none"
            default: "RS256"
            }
        let header: [String: JSONValue] = [
            "alg": .string(algorithm), "kid": .string(defect == .unknownKey ? signing.id : key.id),
            "typ": .string("JWT"),
        ]
        let signed = CompactJWS.part(.object(header)) + "." + CompactJWS.part(.object(claims))
        switch defect {
        case .missing: return nil
        case .unsigned: return signed + "."
        case .hs256:
            let secret = SymmetricKey(data: Data(key.key.publicKey.pemRepresentation.utf8))
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret)
            return signed + "." + Base64URL.encode(Data(code))
        case .tampered:
            let changed = claims.merging(["iat": .int(0)]) { $1 }
            let signature = Base64URL.encode(try signing.signature(of: signed))
            return CompactJWS.part(.object(header)) + "." + CompactJWS.part(.object(changed)) + "." + signature
        default: return signed + "." + Base64URL.encode(try signing.signature(of: signed))
        }
    }

    private func claims(for audience: String, _ email: String, _ defect: TokenDefect) -> [String: JSONValue] {
        let issuedAt = Int(clock.base.timeIntervalSince1970) - (defect == .expired ? 7200 : 0)
        return [
            "iss": .string(defect == .otherIssuer ? "https://issuer.example.com" : Self.issuer),
            "aud": .string(defect == .otherAudience ? "https://other.example.com/push" : audience),
            "email": .string(defect == .otherEmail ? "someone@other-project.iam.gserviceaccount.com" : email),
            "email_verified": .bool(defect != .unverifiedEmail), "sub": .string("113774264463038321964"),
            "azp": .string("113774264463038321964"), "iat": .int(issuedAt), "exp": .int(issuedAt + 3600),
        ]
    }
}
