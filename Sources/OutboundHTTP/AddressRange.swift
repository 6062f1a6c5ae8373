import Glibc

/// A range of network addresses, such as `203.0.113.0/24`, or a single address, such as `2001:db8::1`.
package struct AddressRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Reads CIDR notation (RFC 4632); a text without a prefix length is one address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
        if parts.count == 2 {
            // `Int` would accept a sign.
            guard parts[1].allSatisfy(\.isNumber), let length = Int(parts[1]), (0...bytes.count * 8).contains(length)
            else { return nil }
            prefixLength = length
        } else {
            prefixLength = bytes.count * 8
        }
        self.bytes = bytes
    }

    /// Whether the range contains an address; an IPv4-mapped IPv6 address counts as its IPv4 address.
    package func contains(_ address: String) -> Bool {
        Self.bytes(of: address).map(contains) ?? false
    }

    /// Whether the range contains an address of 4 or 16 bytes.
    func contains(_ other: [UInt8]) -> Bool {
        guard other.count == bytes.count else { return false }
        let whole = prefixLength / 8
        guard other.prefix(whole).elementsEqual(bytes.prefix(whole)) else { return false }
        let rest = prefixLength % 8
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
        return other[whole] & mask == bytes[whole] & mask
    }

    /// The network of a client: the IPv4 address, or the /64 of an IPv6 address; nil if the text is not an address.
    package static func network(of address: String) -> String? {
        guard let bytes = Self.bytes(of: address) else { return nil }
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }

    /// The 4 or 16 bytes of an address; nil if the text is not an address.
    static func bytes(of text: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: &v4) { Array($0) } }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        return withUnsafeBytes(of: &v6) { unmapped(Array($0)) }
    }

    /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291); other addresses as they are.
    static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }
}

extension AddressRange {
    /// Reads ranges separated by commas; nil if one is invalid.
    package static func list(_ text: String) -> [AddressRange]? {
        let parts = text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let ranges = parts.compactMap(AddressRange.init)
        return ranges.isEmpty || ranges.count != parts.count ? nil : ranges
    }
}
