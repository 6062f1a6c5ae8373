import CivilTime
package import FoundationEssentials

/// A complete response.
package struct HTTPResponse: Sendable {
    /// The status code.
    package let status: Int

    /// The header fields.
    package let headers: HTTPHeaders

    /// The body as sent.
    package let body: [UInt8]

    /// A response.
    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The header fields of a response, stored raw and searched on access, because most are never read.
package struct HTTPHeaders: Sendable {
    private let raw: [UInt8]

    /// A header block with lines ended by CR LF.
    package init(raw: [UInt8] = []) {
        self.raw = raw
    }

    /// The first value of the field `name`, in any case; nil if there is none.
    package subscript(name: String) -> String? {
        let wanted = name.lowercased()
        for line in raw.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == wanted else { continue }
            let value = line[(colon + 1)...].drop(while: Self.isBlank).reversed().drop(while: Self.isBlank)
            return String(decoding: value.reversed(), as: UTF8.self)
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}

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
