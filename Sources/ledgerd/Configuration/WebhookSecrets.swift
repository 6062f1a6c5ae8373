import PGVerifier

/// The secrets that a gateway signs its webhooks with.
enum WebhookSecrets {
    /// Reads secrets separated by commas; nil when one can't be used.
    static func parse(_ text: String) -> [String]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard (try? WebhookSignature(secrets: parts.map { Secret($0) })) != nil else { return nil }
        return parts
    }
}
