import FoundationEssentials
import PGVerifier

/// The secrets that a gateway signs its webhooks with.
enum WebhookSecrets {
    /// Standard Webhooks 1.0.0, "signature scheme": 24 to 64 bytes.
    private static let leastBytes = 24

    private static func bytes(in secret: String) -> Int {
        Data(base64Encoded: secret.hasPrefix("whsec_") ? String(secret.dropFirst(6)) : secret)?.count ?? 0
    }

    /// Reads secrets separated by commas; nil if one is invalid.
    static func parse(_ text: String) -> [String]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard parts.allSatisfy({ SecretTexts.plain($0) != nil && bytes(in: $0) >= leastBytes }) else { return nil }
        guard (try? WebhookSignature(secrets: parts.map { Secret($0) })) != nil else { return nil }
        return parts
    }
}
