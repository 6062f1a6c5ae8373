import Crypto
import Foundation
import JWTKit
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct TokenKeysTests {
    private struct Claims: JWTPayload {
        var sub = "u"
        var exp = Int(Date().timeIntervalSince1970) + 60
        func verify(using _: some JWTAlgorithm) {}
    }

    private func jwks(_ keys: String...) -> Data {
        Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
    }

    private func rsaKey(_ key: JWTKit.Insecure.RSA.PrivateKey, extra: String = "") throws -> String {
        let primitives = try key.publicKey.getKeyPrimitives()
        let n = Base64URL.encode(Array(primitives.modulus))
        let e = Base64URL.encode(Array(primitives.publicExponent))
        return #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(extra)}"#
    }

    private func ecKey(_ key: P256.Signing.PrivateKey, extra: String = "") -> String {
        let raw = key.publicKey.rawRepresentation
        let x = Base64URL.encode(Array(raw.prefix(32)))
        let y = Base64URL.encode(Array(raw.suffix(32)))
        return #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"\#(extra)}"#
    }

    private func edKey(_ key: Curve25519.Signing.PrivateKey, extra: String = "") -> String {
        let x = Base64URL.encode(Array(key.publicKey.rawRepresentation))
        return #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"\#(extra)}"#
    }

    @Test func `the keys verify tokens of RSA, EC and Ed25519, with or without alg and kid`() async throws {
        let rsa = try JWTKit.Insecure.RSA.PrivateKey(pem: TestKeys.rsaPrivatePEM)
        let ec = P256.Signing.PrivateKey()
        let ed = Curve25519.Signing.PrivateKey()
        let keys = try await TokenKeys.jwks(
            jwks(
                rsaKey(rsa, extra: #","kid":"r","alg":"RS256","use":"sig""#), ecKey(ec, extra: #","kid":"e""#),
                edKey(ed, extra: #","alg":"EdDSA""#), rsaKey(rsa, extra: #","kid":"enc","alg":"RSA-OAEP","use":"enc""#))
        )
        let verifier = TokenVerifier(keys: keys)

        let signers = await JWTKeyCollection()
            .add(rsa: rsa, digestAlgorithm: .sha256, kid: "r")
            .add(ecdsa: try ES256PrivateKey(pem: ec.pemRepresentation), kid: "e")
            .add(
                eddsa: try EdDSA.PrivateKey(d: Base64URL.encode(Array(ed.rawRepresentation)), curve: .ed25519), kid: "d"
            )
        for kid in ["r", "e", "d"] {
            let token = try await signers.sign(Claims(), kid: JWKIdentifier(string: kid))
            #expect(try verifier.verify(token).subject == "u", "\(kid)")
        }
        let foreign = try await signers.sign(Claims(), kid: "r", header: ["kid": "other"])
        let renamed = foreign.split(separator: ".").dropFirst().joined(separator: ".")
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"other"}"#.utf8))
        #expect(throws: Problem.self) { try verifier.verify(header + "." + renamed) }
    }

    @Test func `an RSA public key is never taken for an HMAC secret`() async throws {
        let rsa = try JWTKit.Insecure.RSA.PrivateKey(pem: TestKeys.rsaPrivatePEM)
        let verifier = TokenVerifier(keys: try await .jwks(jwks(rsaKey(rsa, extra: #","kid":"r","alg":"RS256""#))))
        let pem = rsa.publicKey.pemRepresentation
        for secret in [pem, pem + "\n"] {
            let forger = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: "r")
            let token = try await forger.sign(Claims(), kid: "r")
            let problem = #expect(throws: Problem.self) { try verifier.verify(token) }
            #expect(problem?.code == .tokenInvalid)
        }
    }

    @Test(arguments: [
        #"{"keys":[]}"#, #"{}"#, "nonsense", #"{"keys":[{"kty":"oct","k":"c2VjcmV0","alg":"HS256"}]}"#,
        #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#,
        #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#, #"{"keys":[{"kty":"OKP","crv":"Ed25519"}]}"#,
    ])
    func `keys that can't be used refuse start-up`(json: String) async {
        await #expect(throws: TokenKeysError.self) { try await TokenKeys.jwks(Data(json.utf8)) }
    }
}
