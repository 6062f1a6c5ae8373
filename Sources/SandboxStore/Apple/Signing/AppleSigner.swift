import Crypto
import FoundationEssentials
import SandboxSupport

/// Signs payloads as the App Store does: a JWS whose header has the chain of its key.
struct AppleSigner: Sendable {
    let authority: AppleAuthority

    func sign(_ payload: JSONValue, _ defect: SigningDefect = .none) throws -> String {
        let chain = try authority.chain(defect)
        let x5c = try chain.x5c.map { JSONValue.string(Data(try $0.der).base64EncodedString()) }
        let algorithm =
            switch (defect, chain.key) {
            case (.hs256, _): "HS256"
            case (_, .p256): "ES256"
            case (_, .rsa): "RS256"
            }
        let header = JSONValue.object(["alg": .string(algorithm), "x5c": .array(x5c)])
        let signed = CompactJWS.part(header) + "." + CompactJWS.part(payload)
        let signature = try Self.signature(of: Data(signed.utf8), chain.key, defect)
        if defect == .tampered {
            return CompactJWS.part(header) + "." + CompactJWS.part(payload.changed) + "." + signature
        }
        return signed + "." + signature
    }

    private static func signature(
        of data: Data, _ key: AppleAuthority.Chain.Key, _ defect: SigningDefect
    ) throws -> String {
        switch key {
        case .p256(let key) where defect == .hs256:
            let secret = SymmetricKey(data: Data(key.publicKey.pemRepresentation.utf8))
            return Base64URL.encode(Data(HMAC<SHA256>.authenticationCode(for: data, using: secret)))
        case .p256(let key): return Base64URL.encode(try key.signature(for: data).rawRepresentation)
        case .rsa(let key):
            return Base64URL.encode(try key.signature(for: data, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}

extension JSONValue {
    /// Another payload than was signed.
    fileprivate var changed: JSONValue {
        guard case .object(var members) = self else { return .null }
        members["quantity"] = .int(1000)
        return .object(members)
    }
}
