import FoundationEssentials
import JWTKit
import OutboundHTTP
import Synchronization
import Timing
@_spi(FixedExpiryValidationTime) import X509

/// Asks whether the certificates of a verified chain are revoked (OCSP, RFC 6960), at the addresses that they name.
///
/// What was found out about a chain is kept for a while: every transaction has the same few chains.
final class RevocationCheck: Sendable {
    private enum Answer {
        case good
        case revoked
        case unknown
    }

    private struct Kept {
        let answer: Answer
        let until: ContinuousClock.Instant
    }

    /// How long it is kept that a chain is not revoked.
    private static let goodFor = Duration.seconds(900)
    /// How long nobody is asked again who did not answer.
    private static let unknownFor = Duration.seconds(60)
    private static let mostKept = 64

    private let isHard: Bool
    private let verifier: X5CVerifier
    private let transport: any HTTPTransport
    private let time: Time
    private let kept = Mutex<[[Certificate]: Kept]>([:])

    /// Nil if the configuration asks for none.
    init?(_ configuration: AppStoreConfiguration, transport: any HTTPTransport, time: Time) {
        switch configuration.revocation {
        case .off: return nil
        case .soft: isHard = false
        case .hard: isHard = true
        }
        verifier = configuration.roots.verifier
        self.transport = transport
        self.time = time
    }

    /// - Parameter certificates: leaf, intermediate, root.
    /// - Throws: ``SignedDataError``: revoked, or, if only what is known to be good is accepted, unknown or expired.
    func check(_ certificates: [Certificate], at now: Date) async throws(SignedDataError) {
        // Nobody answers for an expired one.
        guard certificates.allSatisfy({ now <= $0.notValidAfter }) else {
            if isHard { throw SignedDataError(.badSignature, "a certificate has expired") }
            return
        }
        switch await answer(about: certificates, at: now) {
        case .good: break
        case .revoked: throw SignedDataError(.revoked, "a certificate is revoked")
        case .unknown:
            if isHard { throw SignedDataError(.revocationUnknown, "whether a certificate is revoked is not known") }
        }
    }

    private func answer(about certificates: [Certificate], at now: Date) async -> Answer {
        if let known = kept.withLock({ $0[certificates] }), time.instant < known.until { return known.answer }
        let answer = await ask(about: certificates, at: now)
        // A caller who left has asked nobody.
        guard !Task.isCancelled, !(isHard && answer == .unknown) else { return answer }
        let until = time.instant + (answer == .good ? Self.goodFor : Self.unknownFor)
        kept.withLock { kept in
            if kept.count >= Self.mostKept { kept.removeAll() }
            kept[certificates] = Kept(answer: answer, until: until)
        }
        return answer
    }

    private func ask(about certificates: [Certificate], at now: Date) async -> Answer {
        let requester = OCSPTransport(transport, isNeeded: isHard)
        let mode = isHard ? OCSPFailureMode.hard : .soft
        let result = try? await verifier.verifyChain(certificates: certificates) {
            AppleChainPolicy(presented: certificates)
            RFC5280Policy(fixedExpiryValidationTime: now)
            OCSPVerifierPolicy(failureMode: mode, requester: requester, fixedExpiryValidationTime: now)
        }
        switch result {
        // A certificate without an address is asked about nowhere.
        case .validCertificate: return requester.answers == certificates.count - 1 ? .good : .unknown
        case .couldNotValidate(let failures):
            let isRevoked = failures.contains { $0.policyFailureReason.description.hasPrefix("revoked through OCSP") }
            return isRevoked ? .revoked : .unknown
        case nil: return .unknown
        }
    }
}

/// Sends OCSP requests through our own client.
private final class OCSPTransport: OCSPRequester {
    private static let timeout = Duration.seconds(4)

    private let transport: any HTTPTransport
    private let isNeeded: Bool
    private let count = Atomic(0)

    /// - Parameter isNeeded: whether a certificate without an answer is not accepted.
    init(_ transport: any HTTPTransport, isNeeded: Bool) {
        self.transport = transport
        self.isNeeded = isNeeded
    }

    /// The number of responders that answered.
    var answers: Int { count.load(ordering: .acquiring) }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do throws(TransportError) {
            let response = try await transport.send(
                HTTPRequest(
                    .post, try HTTPURL(uri, allowsPlainHTTP: true, isBase: false),
                    headers: [
                        ("Content-Type", "application/ocsp-request"), ("Accept", "application/ocsp-response"),
                    ], body: request, totalTimeout: Self.timeout, maxResponseBytes: 64 << 10))
            guard response.status == 200 else { throw TransportError(.malformedAnswer, "not HTTP 200") }
            count.add(1, ordering: .acquiringAndReleasing)
            return .response(response.body)
        } catch {
            return isNeeded ? .terminalError(error) : .nonTerminalError(error)
        }
    }
}
