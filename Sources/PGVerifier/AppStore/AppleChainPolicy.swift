import SwiftASN1
import X509

/// What a chain needs besides RFC 5280 to be one that signs for the App Store.
///
/// Without the markers every end-entity certificate below Apple's root could sign, such as a developer's own.
struct AppleChainPolicy: VerifierPolicy {
    /// Mac App Store Receipt Signing, in the leaf.
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Worldwide Developer Relations, in the intermediate.
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// Leaf, intermediate and root, as the header has them.
    let presented: [Certificate]

    /// Markers are not critical.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        // The root comes from the pinned ones: a header with another root, or with none, is not this chain.
        guard chain.count == SignedData.chainLength, chain.elementsEqual(presented) else {
            return .failsToMeetPolicy(reason: "the chain is not the three certificates of the header")
        }
        guard chain[0].extensions[oid: Self.leafMarker] != nil else {
            return .failsToMeetPolicy(reason: "the leaf does not sign for the App Store")
        }
        guard chain[1].extensions[oid: Self.intermediateMarker] != nil else {
            return .failsToMeetPolicy(reason: "the intermediate is not the App Store's")
        }
        return .meetsPolicy
    }
}
