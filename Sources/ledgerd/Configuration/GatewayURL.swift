import Foundation
import PGVerifier

/// A file of certificates.
enum PEMFile {
    /// The path, when certificates can be read there.
    static func parse(_ path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            text.contains("-----BEGIN CERTIFICATE-----")
        else { return nil }
        return path
    }
}

/// The address of a gateway's API.
enum GatewayURL {
    static let rule = "an https URL without query, or an http one of this machine"

    /// The URL without its trailing slash, so that paths can be put behind it.
    ///
    /// What the transport would refuse to call is refused here, where the setting can still be named.
    static func parse(_ text: String) -> String? {
        let rest = ["https://", "http://"].lazy.compactMap { text.hasPrefix($0) ? text.dropFirst($0.count) : nil }.first
        guard let rest, let first = rest.first, first != "/", !rest.contains(where: { " ?#".contains($0) }),
            (try? HTTPURL(text)) != nil
        else {
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
