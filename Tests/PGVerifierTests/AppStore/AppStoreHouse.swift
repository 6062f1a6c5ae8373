import Crypto
import CryptoExtras
import Foundation
import OutboundHTTP
import SwiftASN1
import TestSupport
import X509

@testable import PGVerifier

/// A store of our own: root, intermediate and leaf as Apple's are, and what they sign.
struct AppStoreHouse: Sendable {
    /// What is wrong with the chain.
    enum Flaw: CaseIterable, Sendable {
        case noLeafMarker
        case noIntermediateMarker
        case criticalMarker
        case intermediateIsNoAuthority
        /// The leaf has a key of RSA, and signs with RS256.
        case rsaLeaf
        /// The leaf was not valid yet.
        case leafOfTomorrow
        case expiredLeaf
        case expiredIntermediate
    }

    struct Authority: Sendable {
        let certificate: Certificate
        let key: P384.Signing.PrivateKey
    }

    static let bundleID = "com.example.shop"
    static let appleID: Int64 = 1_234_567_890
    static let leafAddress = "http://ocsp.example.com/leaf"
    static let intermediateAddress = "http://ocsp.example.com/intermediate"

    /// One without a flaw, for all tests.
    static let ours = Result { try AppStoreHouse() }

    let root: Authority
    let intermediate: Authority
    let leaf: Certificate
    let leafKey: P256.Signing.PrivateKey
    private let rsaKey: _RSA.Signing.PrivateKey?

    init(_ flaw: Flaw? = nil) throws {
        let (rootKey, intermediateKey) = (P384.Signing.PrivateKey(), P384.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("Root of our own") }
        root = Authority(
            certificate: try Self.certificate(
                rootName, Certificate.PublicKey(rootKey.publicKey), by: (rootName, rootKey),
                extensions: [Self.isAuthority()]),
            key: rootKey)
        let intermediateName = try DistinguishedName { CommonName("Intermediate of our own") }
        intermediate = Authority(
            certificate: try Self.certificate(
                intermediateName, Certificate.PublicKey(intermediateKey.publicKey), by: (rootName, rootKey),
                days: flaw == .expiredIntermediate ? -30 ... -1 : -30...365,
                extensions: [
                    flaw == .intermediateIsNoAuthority ? nil : Self.isAuthority(),
                    flaw == .noIntermediateMarker ? nil : Self.marker(AppleChainPolicy.intermediateMarker),
                    try Self.responder(Self.intermediateAddress),
                ]),
            key: intermediateKey)
        leafKey = P256.Signing.PrivateKey()
        rsaKey = flaw == .rsaLeaf ? try _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
        let days: ClosedRange<Int> =
            switch flaw {
            case .leafOfTomorrow: 1...30
            case .expiredLeaf: -30 ... -1
            default: -30...30
            }
        leaf = try Self.certificate(
            try DistinguishedName { CommonName("Leaf of our own") },
            rsaKey.map { Certificate.PublicKey($0.publicKey) } ?? Certificate.PublicKey(leafKey.publicKey),
            by: (intermediateName, intermediateKey), days: days,
            extensions: [
                flaw == .noLeafMarker
                    ? nil : Self.marker(AppleChainPolicy.leafMarker, isCritical: flaw == .criticalMarker),
                try Self.responder(Self.leafAddress),
            ])
    }

    /// A certificate that the leaf has signed, as a developer could.
    func certificateByLeaf(_ key: P256.Signing.PrivateKey) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: ManualTime.noon.addingTimeInterval(-86_400),
            notValidAfter: ManualTime.noon.addingTimeInterval(86_400), issuer: leaf.subject,
            subject: try DistinguishedName { CommonName("Nobody") }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions([Self.marker(AppleChainPolicy.leafMarker)]),
            issuerPrivateKey: Certificate.PrivateKey(leafKey))
    }

    private static func certificate(
        _ name: DistinguishedName, _ key: Certificate.PublicKey,
        by issuer: (DistinguishedName, P384.Signing.PrivateKey),
        days: ClosedRange<Int> = -30...3650, extensions: [Certificate.Extension?]
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key,
            notValidBefore: ManualTime.noon.addingTimeInterval(Double(days.lowerBound) * 86_400),
            notValidAfter: ManualTime.noon.addingTimeInterval(Double(days.upperBound) * 86_400), issuer: issuer.0,
            subject: name, signatureAlgorithm: .ecdsaWithSHA384,
            extensions: try Certificate.Extensions(extensions.compactMap(\.self)),
            issuerPrivateKey: Certificate.PrivateKey(issuer.1))
    }

    private static func isAuthority() throws -> Certificate.Extension {
        try Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)).makeCertificateExtension()
    }

    private static func marker(_ oid: ASN1ObjectIdentifier, isCritical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: oid, critical: isCritical, value: [0x05, 0x00])
    }

    private static func responder(_ address: String) throws -> Certificate.Extension {
        let access = AuthorityInformationAccess.AccessDescription(
            method: .ocspServer, location: .uniformResourceIdentifier(address))
        return try Certificate.Extension(AuthorityInformationAccess([access]), critical: false)
    }
}

// MARK: - What it signs

extension AppStoreHouse {
    /// The header of what it signs: leaf, intermediate, root.
    var chain: [Certificate] { [leaf, intermediate.certificate, root.certificate] }

    /// Signs a payload.
    ///
    /// - Parameters:
    ///   - header: further members of the header, in JSON, with a comma at the end.
    ///   - key: who signs; nil: the leaf.
    func sign(
        _ payload: String, algorithm: String? = nil, chain: [Certificate]? = nil, header: String = "",
        key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let x5c = try (chain ?? self.chain).map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return "\"" + Data(serializer.serializedBytes).base64EncodedString() + "\""
        }
        let algorithm = algorithm ?? (rsaKey == nil ? "ES256" : "RS256")
        return try sign(
            header: #"{\#(header)"alg":"\#(algorithm)","x5c":[\#(x5c.joined(separator: ","))]}"#, payload, key: key)
    }

    /// Signs a payload under a header of the test's own.
    func sign(header: String, _ payload: String, key: P256.Signing.PrivateKey? = nil) throws -> String {
        let signed = Data(header.utf8).base64URL + "." + Data(payload.utf8).base64URL
        let signature =
            if let rsaKey {
                try rsaKey.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5).rawRepresentation
            } else {
                try (key ?? leafKey).signature(for: Data(signed.utf8)).rawRepresentation
            }
        return signed + "." + signature.base64URL
    }

    /// A payload with other members; nil: without the member.
    static func payload(_ changes: [String: String?], of members: [String: String]) -> String {
        var members = members
        for (name, value) in changes { members[name] = value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// A transaction's payload: a hundred coins for 1,200 won, bought and signed at noon.
    static func transaction(_ changes: [String: String?] = [:]) -> String {
        payload(
            changes,
            of: [
                "transactionId": #""2000000123456789""#, "originalTransactionId": #""2000000123456789""#,
                "bundleId": #""com.example.shop""#, "productId": #""coins_100""#, "purchaseDate": "1794713640000",
                "originalPurchaseDate": "1794713640000", "quantity": "1", "type": #""Consumable""#,
                "inAppOwnershipType": #""PURCHASED""#, "signedDate": "1794713640000",
                "environment": #""Production""#, "transactionReason": #""PURCHASE""#, "storefront": #""KOR""#,
                "storefrontId": #""143466""#, "price": "1200000", "currency": #""KRW""#,
                "appAccountToken": #""7e3fb20b-4cdb-47cc-936d-99d65f608138""#,
            ])
    }

    /// A notification's payload: of a refund, with a transaction if there is one.
    static func notification(
        _ changes: [String: String?] = [:], data: [String: String?] = [:], transaction: String? = nil
    ) -> String {
        let data = payload(
            data,
            of: [
                "appAppleId": "\(appleID)", "bundleId": #""com.example.shop""#, "bundleVersion": #""1""#,
                "environment": #""Production""#,
            ].merging(transaction.map { ["signedTransactionInfo": "\"\($0)\""] } ?? [:]) { $1 })
        return payload(
            changes,
            of: [
                "notificationType": #""REFUND""#, "notificationUUID": #""002e14d5-51f5-4503-b5a8-c3a1af68eb20""#,
                "version": #""2.0""#, "signedDate": "1794713640000", "data": data,
            ])
    }

    /// The configuration that trusts this root.
    func configuration(
        revocation: AppStoreConfiguration.Revocation = .off,
        environments: [AppStoreEnvironment] = AppStoreEnvironment.allCases
    ) throws -> AppStoreConfiguration {
        let key = try AppStoreKey(
            issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34",
            pem: Secret(Self.apiKey.pemRepresentation))
        var urls: [AppStoreEnvironment: HTTPURL] = [:]
        for environment in environments { urls[environment] = try HTTPURL(environment.url) }
        return AppStoreConfiguration(
            bundleID: Self.bundleID, appleID: Self.appleID, key: key, environments: urls,
            roots: try AppStoreRoots(pem: try root.certificate.serializeAsPEM().pemString), revocation: revocation)
    }

    /// The key of our requests.
    static let apiKey = P256.Signing.PrivateKey()

    func verifier(
        revocation: AppStoreConfiguration.Revocation = .off,
        environments: [AppStoreEnvironment] = AppStoreEnvironment.allCases,
        transport: any HTTPTransport = ScriptedGateway(.fail(.unreachable)), timing: InstantTiming = InstantTiming()
    ) throws -> AppStoreVerifier {
        AppStoreVerifier(
            configuration: try configuration(revocation: revocation, environments: environments),
            transport: transport, time: timing.time)
    }
}
