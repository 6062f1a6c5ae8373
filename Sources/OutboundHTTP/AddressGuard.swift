/// Decides which addresses a transport may connect to, for URLs that outsiders choose.
///
/// Only globally reachable unicast addresses are allowed (IANA's special-purpose address registries), so that nobody
/// makes ledgerd send requests into its own network. The decision is made for the address of each connection, after the
/// name is resolved: a name that resolves differently later has no effect.
package struct AddressGuard: Hashable, Sendable {
    private let allowed: [AddressRange]

    /// - Parameter allowed: the ranges that are allowed although they are not globally reachable.
    package init(allowing allowed: [AddressRange] = []) {
        self.allowed = allowed
    }

    /// Whether an address may be connected to.
    ///
    /// - Returns: nil if the text is not an address.
    package func allows(_ address: String) -> Bool? {
        AddressRange.bytes(of: address).map(allows)
    }

    /// Whether an address of 4 or 16 bytes may be connected to.
    func allows(_ address: [UInt8]) -> Bool {
        let address = AddressRange.unmapped(address)
        if allowed.contains(where: { $0.contains(address) }) { return true }
        if let embedded = Self.translated(address) { return allows(embedded) }
        switch address.count {
        case 4: return !Self.special.contains { $0.contains(address) }
        // Only 2000::/3 is assigned for global unicast (RFC 4291).
        case 16: return address[0] & 0xe0 == 0x20 && !Self.special.contains { $0.contains(address) }
        default: return false
        }
    }

    /// The IPv4 address that a NAT64 gateway reaches through an IPv6 address (RFC 6052, `64:ff9b::/96`).
    private static func translated(_ address: [UInt8]) -> [UInt8]? {
        let prefix: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
        return address.count == 16 && address.starts(with: prefix) ? Array(address.suffix(4)) : nil
    }

    private static let special = [
        "0.0.0.0/8",  // this network; Linux connects 0.0.0.0 to loopback
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private (RFC 1918)
        "100.64.0.0/10",  // carrier-grade NAT (RFC 6598)
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local; metadata services of clouds
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays, deprecated
        "198.18.0.0/15",  // benchmarks
        "224.0.0.0/4", "240.0.0.0/4",  // multicast; reserved and broadcast
        "2001::/23",  // protocol assignments, with Teredo, which embeds IPv4 addresses
        "2001:db8::/32", "3fff::/20",  // documentation
        "2002::/16",  // 6to4, which embeds IPv4 addresses
    ].compactMap(AddressRange.init)
}
