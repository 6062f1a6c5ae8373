import Crypto
import Foundation
import TestSupport
import Testing
import X509

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreVerifierTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `a transaction that the store signed is read`() async throws {
        let transaction = try await read(AppStoreHouse.transaction())
        #expect(transaction.id.text == "2000000123456789" && transaction.originalID == transaction.id)
        #expect(transaction.environment == .production && transaction.bundleID == "com.example.shop")
        #expect(transaction.productID == "coins_100" && transaction.quantity == 1 && transaction.kind == .consumable)
        #expect(transaction.isPurchased && transaction.storefront == "KOR")
        #expect(transaction.price == 1_200_000 && transaction.currency == "KRW")
        #expect(transaction.accountToken == UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        #expect(transaction.purchasedAt == ManualTime.noon && transaction.signedAt == ManualTime.noon)
        #expect(transaction.revocation == nil)
        #expect(transaction.receipt.merchantUID == "app-store:2000000123456789")
    }

    @Test(arguments: AppStoreHouse.Flaw.allCases) func `a chain with a flaw signs for nobody`(
        flaw: AppStoreHouse.Flaw
    ) async throws {
        let flawed = try AppStoreHouse(flaw)
        #expect(await refusal(try flawed.sign(AppStoreHouse.transaction()), by: flawed) == .badSignature)
    }

    @Test func `a leaf of RSA does not sign as ES256 either`() async throws {
        let flawed = try AppStoreHouse(.rsaLeaf)
        let token = try flawed.sign(AppStoreHouse.transaction(), algorithm: "ES256")
        #expect(await refusal(token, by: flawed) == .badSignature)
    }

    @Test func `the header must have exactly three certificates, those of the chain`() async throws {
        let (leaf, intermediate, root) = (house.leaf, house.intermediate.certificate, house.root.certificate)
        let other = try AppStoreHouse().root.certificate
        let chains = [
            [], [leaf], [leaf, intermediate], [leaf, intermediate, root, root],
            [leaf, intermediate, intermediate, root],
            [leaf, intermediate, other], [leaf, other, intermediate], [leaf, root, intermediate],
            [intermediate, leaf, root], [root, intermediate, leaf],
        ]
        for chain in chains {
            let token = try house.sign(AppStoreHouse.transaction(), chain: chain)
            #expect(await refusal(token) == .badSignature, "\(chain.count) certificates")
        }
        let withoutAny = try house.sign(header: #"{"alg":"ES256"}"#, AppStoreHouse.transaction())
        #expect(await refusal(withoutAny) == .badSignature)
    }

    @Test func `a chain of four that leads to the root is refused`() async throws {
        let key = P256.Signing.PrivateKey()
        let chain = [try house.certificateByLeaf(key)] + house.chain
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(), chain: chain, key: key)) == .badSignature)
        // Nor by leaving one out.
        let short = [chain[0], chain[1], chain[3]]
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(), chain: short, key: key)) == .badSignature)
    }

    @Test func `a chain to another root is refused, though that root is in the header`() async throws {
        #expect(await refusal(try AppStoreHouse().sign(AppStoreHouse.transaction())) == .badSignature)
    }

    @Test func `each of several pinned roots is trusted`() async throws {
        let other = try AppStoreHouse()
        var configuration = try house.configuration()
        configuration.roots = try AppStoreRoots(
            pem: [house, other].map { try $0.root.certificate.serializeAsPEM().pemString }.joined(separator: "\n"))
        let verifier = AppStoreVerifier(
            configuration: configuration, transport: ScriptedGateway(.fail(.unreachable)), time: InstantTiming().time)
        for house in [house, other] {
            _ = try await verifier.transaction(try house.sign(AppStoreHouse.transaction()))
        }
    }

    @Test func `roots and keys that can't be read are no setting`() throws {
        for pem in ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            #expect(throws: UnusableSetting.self) { try AppStoreRoots(pem: pem) }
            #expect(throws: UnusableSetting.self) { try AppStoreKey(issuerID: "i", keyID: "k", pem: Secret(pem)) }
        }
    }

    @Test func `Apple's root is the one that Apple publishes`() throws {
        _ = AppStoreRoots.apple
        let root = try Certificate(pemEncoded: AppStoreRoots.appleRootG3)
        let fingerprint = SHA256.hash(data: try root.serializeAsPEM().derBytes).map { String(format: "%02x", $0) }
            .joined()
        #expect(fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        #expect(root.publicKey.isValidSignature(root.signature, for: root))
    }

    @Test func `what was changed after signing is refused`() async throws {
        let parts = try house.sign(AppStoreHouse.transaction()).split(separator: ".").map(String.init)
        let cheaper = Data(AppStoreHouse.transaction(["quantity": "10"]).utf8).base64URL
        #expect(await refusal([parts[0], cheaper, parts[2]].joined(separator: ".")) == .badSignature)
        #expect(await refusal(parts[0] + "." + parts[1] + ".") == .badSignature)
        let stranger = try house.sign(AppStoreHouse.transaction(), key: P256.Signing.PrivateKey())
        #expect(await refusal(stranger) == .badSignature)
    }

    @Test(arguments: ["none", "HS256", "RS256", "ES384", "ES512", "PS256", "EdDSA", "es256", ""])
    func `no other algorithm is taken`(algorithm: String) async throws {
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(), algorithm: algorithm)) == .badSignature)
    }

    @Test func `extensions of the header that must be understood are not`() async throws {
        let token = try house.sign(AppStoreHouse.transaction(), header: #""crit":["b64"],"b64":false,"#)
        #expect(await refusal(token) == .badSignature)
    }

    @Test func `what is no JWS is malformed`() async throws {
        let token = try house.sign(AppStoreHouse.transaction())
        let payload = Data(AppStoreHouse.transaction().utf8).base64URL
        let bad = [
            "", ".", "..", "...", "a.b.c", token + ".x", "x" + token, String(repeating: "a", count: 70_000),
            Data("[]".utf8).base64URL + "." + payload + ".AA", Data("{".utf8).base64URL + "." + payload + ".AA",
            try house.sign("[]"), try house.sign("null"), try house.sign("\u{1}"),
            try house.sign(header: #"{"alg":"ES256","x5c":["!","!","!"]}"#, AppStoreHouse.transaction()),
            try house.sign(header: #"{"alg":"ES256","x5c":["","AA==","AAAA"]}"#, AppStoreHouse.transaction()),
        ]
        for token in bad { #expect(await refusal(token) == .malformed, "\(token.prefix(60))") }
    }

    @Test func `a member that is there twice is refused, in header and payload`() async throws {
        let twice = AppStoreHouse.transaction().dropLast() + #","quantity":10}"#
        #expect(await refusal(try house.sign(String(twice))) == .malformed)
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(), header: #""alg":"none","#)) == .malformed)
    }

    @Test(arguments: [
        "1e300", "-1e300", "1e999999", "9223372036854775808", "9223372036854775807", "18446744073709551616",
        "253402300800000", "-1", "-9223372036854775808", "1794713640000.5", #""1794713640000""#, "null", "true", "[]",
    ]) func `a date of signing that is no date is refused and stops nothing`(date: String) async throws {
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(["signedDate": date]))) == .malformed)
    }

    @Test func `every transaction has a date of signing`() async throws {
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(["signedDate": nil]))) == .malformed)
    }

    @Test(
        arguments: [
            (60.0, nil), (60.001, SignedDataError.Code.signedLater), (200 * 86_400, .signedLater), (-29 * 86_400, nil),
            (-31 * 86_400, .badSignature),
        ] as [(TimeInterval, SignedDataError.Code?)])
    func `it is signed at most a minute from now, and while the chain was valid`(
        ahead: TimeInterval, code: SignedDataError.Code?
    ) async throws {
        let date = Int64(((ManualTime.noon.timeIntervalSince1970 + ahead) * 1000).rounded())
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(["signedDate": "\(date)"]))) == code)
    }

    @Test func `what a device kept verifies when the leaf has expired`() async throws {
        let old = try AppStoreHouse(.expiredLeaf)
        let tenDaysAgo = AppStoreHouse.transaction(["signedDate": "1793849640000"])
        _ = try await old.verifier().transaction(try old.sign(tenDaysAgo))
    }

    @Test func `a purchase may be dated after its signature`() async throws {
        let later = try await read(AppStoreHouse.transaction(["purchaseDate": "1794713700000"]))
        #expect(later.purchasedAt > later.signedAt)
    }

    @Test(
        arguments: [
            (["bundleId": #""com.example.other""#], SignedDataError.Code.anotherApp), (["bundleId": nil], .malformed),
            (["environment": #""Xcode""#], .anotherEnvironment),
            (["environment": #""LocalTesting""#], .anotherEnvironment),
            (["environment": #""production""#], .anotherEnvironment), (["environment": nil], .malformed),
        ] as [([String: String?], SignedDataError.Code)])
    func `another app and another environment are refused`(
        changes: [String: String?], code: SignedDataError.Code
    ) async throws {
        #expect(await refusal(try house.sign(AppStoreHouse.transaction(changes))) == code)
    }

    @Test func `a sandbox purchase is refused where the sandbox is off`() async throws {
        let token = try house.sign(AppStoreHouse.transaction(["environment": #""Sandbox""#]))
        #expect(try await house.verifier().transaction(token).environment == .sandbox)
        await #expect(throws: SignedDataError.self) {
            try await house.verifier(environments: [.production]).transaction(token)
        }
    }

    private func read(_ payload: String) async throws -> AppStoreTransaction {
        try await house.verifier().transaction(try house.sign(payload))
    }

    /// Why a token is refused by who trusts a house's root; nil: it is accepted.
    private func refusal(_ token: String, by trusted: AppStoreHouse? = nil) async -> SignedDataError.Code? {
        do {
            _ = try await (trusted ?? house).verifier().transaction(token)
            return nil
        } catch {
            return (error as? SignedDataError)?.code
        }
    }
}
