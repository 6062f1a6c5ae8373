/// The address of a gateway's API.
enum GatewayURL {
    static let rule = "an http or https URL without query"

    /// The URL without its trailing slash, so that paths can be put behind it.
    static func parse(_ text: String) -> String? {
        let rest = ["https://", "http://"].lazy.compactMap { text.hasPrefix($0) ? text.dropFirst($0.count) : nil }.first
        guard let rest, let first = rest.first, first != "/", !rest.contains(where: { " ?#".contains($0) }) else {
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
