import CivilTime
package import FoundationEssentials

/// The time of a `Date` or `Retry-After` header (RFC 9110, 5.6.7: IMF-fixdate).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    package static func parse(_ text: String) -> Date? {
        guard let match = text.wholeMatch(of: #/\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT/#),
            let month = months.firstIndex(of: String(match.2))
        else { return nil }
        let number = (month < 9 ? "0" : "") + String(month + 1)
        return RFC3339.date(from: "\(match.3)-\(number)-\(match.1)T\(match.4)Z")
    }
}
