import Crypto
import CryptoExtras
import FoundationEssentials
import SandboxSupport
import Synchronization
import X509

/// The certificates that the simulated App Store signs with: a root, an intermediate and a leaf, made at first use.
///
/// Chains with a defect are made when one is asked for.
final class AppleAuthority: Sendable {
    /// A leaf's key with its certificates, as `x5c` has them.
    struct Chain: Sendable {
        enum Key: Sendable {
            case p256(P256.Signing.PrivateKey)
            case rsa(_RSA.Signing.PrivateKey)
        }

        let key: Key
        let x5c: [Certificate]
    }

    private struct Made {
        let root: CertificateIssuer
        let intermediate: CertificateIssuer
        var chains: [SigningDefect: Chain] = [:]
        /// Who answers for a certificate, by its serial number.
        var issuers: [Certificate.SerialNumber: CertificateIssuer] = [:]
    }

    private let clock: SandboxClock
    private let responder: @Sendable () -> String
    private let made = Mutex<Made?>(nil)

    private static let year = 365.25 * 86_400

    /// `responder` is the URL of the OCSP responder, asked for when certificates are made.
    init(clock: SandboxClock, responder: @escaping @Sendable () -> String) {
        self.clock = clock
        self.responder = responder
    }

    /// The root that clients trust.
    var root: Certificate {
        get throws { try made.withLock { try present(&$0).root.certificate } }
    }

    /// The chain for signatures with a defect, or without one.
    func chain(_ defect: SigningDefect = .none) throws -> Chain {
        try made.withLock { state in
            var made = try present(&state)
            if let chain = made.chains[defect] { return chain }
            let chain = try make(defect, &made)
            made.chains[defect] = chain
            state = made
            return chain
        }
    }

    /// The issuer that answers for the certificate with this serial number.
    func issuer(of serialNumber: Certificate.SerialNumber) -> CertificateIssuer? {
        made.withLock { $0?.issuers[serialNumber] }
    }

    private func present(_ state: inout Made?) throws -> Made {
        if let state { return state }
        let root = try CertificateIssuer(root: "Sandbox Root CA - G3", valid: years(-1, 20))
        var made = Made(root: root, intermediate: try intermediate(of: root))
        made.issuers[made.intermediate.certificate.serialNumber] = root
        state = made
        return made
    }

    private func make(_ defect: SigningDefect, _ made: inout Made) throws -> Chain {
        switch defect {
        case .none, .tampered, .hs256: return try leaf(&made)
        case .noLeafOID: return try leaf(&made, marker: nil)
        case .criticalOID: return try leaf(&made, marker: .criticalLeaf)
        case .expired: return try leaf(&made, valid: years(-2, -1))
        case .rsaLeaf: return try leaf(&made, key: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
        case .twoLong:
            let chain = try leaf(&made)
            return Chain(key: chain.key, x5c: Array(chain.x5c.prefix(2)))
        case .noIntermediateOID:
            let unmarked = try intermediate(of: made.root, marker: nil)
            made.issuers[unmarked.certificate.serialNumber] = made.root
            return try leaf(&made, of: unmarked)
        case .fourLong:
            let upper = try intermediate(of: made.root, maxPathLength: nil)
            let lower = try intermediate("Sandbox Second Certification Authority", of: upper)
            made.issuers[upper.certificate.serialNumber] = made.root
            made.issuers[lower.certificate.serialNumber] = upper
            return try leaf(&made, of: lower, above: [upper.certificate, made.root.certificate])
        case .otherRoot:
            let root = try CertificateIssuer(root: "Sandbox Root CA - G3", valid: years(-1, 20))
            let intermediate = try intermediate(of: root)
            made.issuers[intermediate.certificate.serialNumber] = root
            return try leaf(&made, of: intermediate, above: [root.certificate])
        }
    }

    private func intermediate(
        _ name: String = "Sandbox Developer Relations Certification Authority", of issuer: CertificateIssuer,
        marker: AppleMarker? = .intermediate, maxPathLength: Int? = 0
    ) throws -> CertificateIssuer {
        try CertificateIssuer(
            intermediate: name, of: issuer, valid: years(-1, 15), marker: marker, maxPathLength: maxPathLength,
            responder: responder())
    }

    private func leaf(
        _ made: inout Made, key: Chain.Key = .p256(P256.Signing.PrivateKey()), of issuer: CertificateIssuer? = nil,
        above: [Certificate]? = nil, marker: AppleMarker? = .leaf, valid: Range<Date>? = nil
    ) throws -> Chain {
        let issuer = issuer ?? made.intermediate
        let publicKey =
            switch key {
            case .p256(let key): Certificate.PublicKey(key.publicKey)
            case .rsa(let key): Certificate.PublicKey(key.publicKey)
            }
        let leaf = try issuer.leaf(
            "Sandbox Mac App Store and iTunes Store Receipt Signing", publicKey, valid: valid ?? years(-1, 10),
            marker: marker, responder: responder())
        made.issuers[leaf.serialNumber] = issuer
        return Chain(key: key, x5c: [leaf, issuer.certificate] + (above ?? [made.root.certificate]))
    }

    private func years(_ from: Double, _ until: Double) -> Range<Date> {
        let now = clock.base
        return now.addingTimeInterval(from * Self.year)..<now.addingTimeInterval(until * Self.year)
    }
}
