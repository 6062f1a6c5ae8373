import Crypto
import FoundationEssentials
import SandboxSupport

/// Checks the tokens of the API's clients: ES256 with the right key, for the right app, not expired.
struct ClientToken: Sendable {
    let issuerID: String
    let keyID: String
    let bundleID: String
    let key: P256.Signing.PublicKey

    static let audience = "appstoreconnect-v1"

    init(_ configuration: SandboxStoreConfiguration.Apple) throws {
        issuerID = configuration.issuerID
        keyID = configuration.keyID
        bundleID = configuration.bundleID
        key = try SandboxStoreConfiguration.Apple.key.publicKey
    }

    /// Whether the value of the header `Authorization` is good at `now`.
    func isGood(_ authorization: String?, now: Date) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        let parts = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = CompactJWS.members(parts[0]), let claims = CompactJWS.members(parts[1]),
            header["alg"] == .string("ES256"), header["kid"] == .string(keyID),
            claims["iss"] == .string(issuerID), claims["bid"] == .string(bundleID),
            claims["aud"] == .string(Self.audience), case .number(let until) = claims["exp"],
            until > Decimal(now.timeIntervalSince1970),
            let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }
}
