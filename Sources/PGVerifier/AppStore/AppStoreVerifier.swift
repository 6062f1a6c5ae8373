import FoundationEssentials
import JWTKit
package import OutboundHTTP
package import Timing
import WireFormats
import X509

/// Verifies what the App Store has signed: transactions and notifications.
///
/// It is what the store said when it signed, and not how things are now: a transaction that a device kept from before a
/// refund verifies for ever. Ask the gateway before crediting anything.
package struct AppStoreVerifier: Sendable {
    private let configuration: AppStoreConfiguration
    private let revocation: RevocationCheck?
    private let time: Time

    /// - Parameter transport: asks whether certificates are revoked, if the configuration says so.
    package init(configuration: AppStoreConfiguration, transport: any HTTPTransport, time: Time = .current) {
        self.configuration = configuration
        self.time = time
        revocation = RevocationCheck(configuration, transport: transport, time: time)
    }

    /// The transaction of a JWS that a client presents (StoreKit's `jwsRepresentation`).
    ///
    /// - Throws: ``SignedDataError``.
    package func transaction(_ token: String) async throws(SignedDataError) -> AppStoreTransaction {
        try await transaction(token, from: .anybody)
    }

    /// The notification in a request's body: `{"signedPayload": …}`.
    ///
    /// - Throws: ``SignedDataError``.
    package func notification(body: [UInt8]) async throws(SignedDataError) -> AppStoreNotification {
        guard body.count <= SignedData.maxBytes, let token = (try? JSONParser.parse(body))?["signedPayload"]?.text
        else {
            throw SignedDataError(.malformed, "the body has no signedPayload")
        }
        return try await notification(token, from: .anybody)
    }

    /// Where signed data comes from.
    enum Source {
        /// Who knows: whether the certificates are revoked is asked, if the configuration says so.
        case anybody
        /// The store itself, over TLS or in something that is verified.
        case store
    }

    func transaction(_ token: String, from source: Source) async throws(SignedDataError) -> AppStoreTransaction {
        let members = SignedMembers(try await payload(of: token, from: source))
        let environment = try configuration.environment(
            bundleID: try members.requiredText("bundleId"), environment: try members.requiredText("environment"))
        return try AppStoreTransaction(members, environment: environment)
    }

    func notification(_ token: String, from source: Source) async throws(SignedDataError) -> AppStoreNotification {
        let members = SignedMembers(try await payload(of: token, from: source))
        var notification = try AppStoreNotification(members, of: configuration)
        guard let signed = members.object("data")?.text("signedTransactionInfo") else { return notification }
        let transaction = try await transaction(signed, from: .store)
        guard transaction.environment == notification.environment else {
            throw SignedDataError(.anotherEnvironment, "the transaction is of another environment")
        }
        notification.transaction = transaction
        return notification
    }

    /// The verified payload.
    ///
    /// The chain is judged at the time of signing, so that what a device kept stays valid when the leaf has expired.
    private func payload(of token: String, from source: Source) async throws(SignedDataError) -> JSON {
        let (token, now) = (Array(token.utf8), time.now)
        let signed = try SignedData(token, latest: now.addingTimeInterval(configuration.clockSkew / .seconds(1)))
        do {
            _ = try await configuration.roots.verifier.verifyJWS(
                token, as: SignedPayload.self, jsonDecoder: SignedPayloadDecoder(date: signed.signedAt)
            ) {
                AppleChainPolicy(presented: signed.certificates)
            }
        } catch {
            throw SignedDataError(.badSignature, "the chain or the signature is not the App Store's")
        }
        if source == .anybody { try await revocation?.check(signed.certificates, at: now) }
        return signed.payload
    }
}
