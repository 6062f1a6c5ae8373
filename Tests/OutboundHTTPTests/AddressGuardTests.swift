import Testing

@testable import OutboundHTTP

@Suite(.timeLimit(.minutes(20))) struct AddressGuardTests {
    @Test(arguments: [
        // this network, loopback
        "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "::", "::1",
        // private, carrier-grade NAT, link-local
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "169.254.169.254",
        "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254",
        // multicast, reserved, broadcast
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1", "ff0e::1",
        // protocol assignments, documentation, benchmarks
        "192.0.0.170", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "192.88.99.1", "2001:db8::1",
        "3fff::1",
        "2001::1", "100::1", "5f00::1",
        // IPv4 within IPv6: mapped, compatible, NAT64, 6to4, Teredo
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1", "64:ff9b:1::10.0.0.1", "2002:7f00:1::1", "2002:a00:1::", "2001:0:7f00:1::",
    ])
    func `an address that is not globally reachable is refused`(address: String) {
        #expect(AddressGuard().allows(address) == false)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "223.255.255.255", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2606:4700::1111", "2a00:1450::1", "2001:200::1",
    ])
    func `an address of the internet is allowed`(address: String) {
        #expect(AddressGuard().allows(address) == true)
    }

    /// A name can resolve to such an address; curl tells of it in bytes.
    @Test func `an IPv4 address in 16 bytes is judged as in 4`() throws {
        func mapped(_ address: UInt8...) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] + address }
        #expect(AddressGuard().allows(mapped(1, 1, 1, 1)))
        #expect(!AddressGuard().allows(mapped(127, 0, 0, 1)) && !AddressGuard().allows(mapped(10, 0, 0, 1)))
        let office = AddressGuard(allowing: try #require(AddressRange.list("10.1.0.0/16")))
        #expect(office.allows(mapped(10, 1, 2, 3)) && !office.allows(mapped(10, 2, 0, 1)))
    }

    @Test func `a range of the settings is allowed, and nothing beside it`() throws {
        let office = AddressGuard(allowing: try #require(AddressRange.list("10.1.0.0/16, ::1")))
        for address in ["10.1.2.3", "::ffff:10.1.2.3", "::1"] { #expect(office.allows(address) == true, "\(address)") }
        for address in ["10.2.0.1", "127.0.0.1", "64:ff9b::10.2.0.1", "fd00::1"] {
            #expect(office.allows(address) == false, "\(address)")
        }
    }

    @Test(arguments: ["localhost", "", "1.2.3", "0x7f.1", "2130706433", "[::1]", "fe80::1%eth0"])
    func `a text that is no address has no answer`(text: String) {
        #expect(AddressGuard().allows(text) == nil)
    }
}
