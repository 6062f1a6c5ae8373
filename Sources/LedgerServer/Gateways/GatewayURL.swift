import Foundation
import OutboundHTTP

/// A file of certificates.
enum PEMFile {
    /// The path of a readable file with a certificate; nil for any other path.
    static func parse(_ path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            text.contains("-----BEGIN CERTIFICATE-----")
        else { return nil }
        return path
    }
}

/// The URL of a gateway's API.
enum GatewayURL {
    static let rule = "an https URL without a query, or an http URL of this machine"

    /// The URL without its trailing slash, so that paths can be appended.
    ///
    /// URLs that the transport would refuse are refused here, so that the error names the setting.
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
