import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A root or an intermediate: a certificate with its P-384 key, which signs with ECDSA and SHA-384 as Apple's does.
struct CertificateIssuer: Sendable {
    let certificate: Certificate
    let key: P384.Signing.PrivateKey

    /// Makes a root, which signs itself.
    init(root name: String, valid: Range<Date>) throws {
        key = P384.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let subject = try Self.subject(name)
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: valid.lowerBound, notValidAfter: valid.upperBound, issuer: subject, subject: subject,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// Makes an intermediate of `issuer`, with Apple's marker or without one.
    init(
        intermediate name: String, of issuer: CertificateIssuer, valid: Range<Date>, marker: AppleMarker?,
        maxPathLength: Int? = 0, responder: String
    ) throws {
        key = P384.Signing.PrivateKey()
        certificate = try issuer.issue(
            name, Certificate.PublicKey(key.publicKey), valid: valid, marker: marker, responder: responder,
            try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            })
    }

    /// Issues the certificate of a leaf.
    func leaf(
        _ name: String, _ key: Certificate.PublicKey, valid: Range<Date>, marker: AppleMarker?, responder: String
    ) throws -> Certificate {
        try issue(
            name, key, valid: valid, marker: marker, responder: responder,
            try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            })
    }

    private func issue(
        _ name: String, _ subjectKey: Certificate.PublicKey, valid: Range<Date>, marker: AppleMarker?,
        responder: String, _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        var extensions = extensions
        try extensions.append(
            Certificate.Extension(SubjectKeyIdentifier(hash: subjectKey), critical: false))
        try extensions.append(
            Certificate.Extension(
                AuthorityKeyIdentifier(keyIdentifier: certificate.extensions.subjectKeyIdentifier?.keyIdentifier),
                critical: false))
        try extensions.append(
            Certificate.Extension(
                AuthorityInformationAccess([
                    .init(method: .ocspServer, location: .uniformResourceIdentifier(responder))
                ]), critical: false))
        if let marker { try extensions.append(marker.certificateExtension) }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: subjectKey,
            notValidBefore: valid.lowerBound, notValidAfter: valid.upperBound, issuer: certificate.subject,
            subject: try Self.subject(name), extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(key))
    }

    private static func subject(_ name: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(name)
            OrganizationName("Sandbox")
            CountryName("KR")
        }
    }
}

/// An extension by which Apple marks what a certificate is for; its value is NULL.
enum AppleMarker: Sendable {
    /// The leaf of the App Store's receipts.
    case leaf
    /// The same, wrongly critical.
    case criticalLeaf
    /// The intermediate of Apple's developer relations.
    case intermediate

    fileprivate var certificateExtension: Certificate.Extension {
        let oid: ASN1ObjectIdentifier =
            self == .intermediate ? [1, 2, 840, 113635, 100, 6, 2, 1] : [1, 2, 840, 113635, 100, 6, 11, 1]
        return Certificate.Extension(oid: oid, critical: self == .criticalLeaf, value: [0x05, 0x00])
    }
}

extension Certificate {
    /// The certificate in DER.
    var der: [UInt8] {
        get throws {
            var coder = DER.Serializer()
            try coder.serialize(self)
            return coder.serializedBytes
        }
    }
}
