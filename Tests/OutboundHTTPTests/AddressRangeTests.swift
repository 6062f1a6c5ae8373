import OutboundHTTP
import Testing

@Suite(.timeLimit(.minutes(20))) struct AddressRangeTests {
    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("203.0.113.0/24", "203.0.113.255"), ("203.0.113.9/24", "203.0.113.1"),
        ("10.0.0.0/9", "10.127.255.255"), ("0.0.0.0/0", "198.51.100.1"), ("203.0.113.7/32", "203.0.113.7"),
        ("2001:db8::/33", "2001:db8:7fff::1"), ("::1", "0:0:0:0:0:0:0:1"), ("::/0", "2001:db8::1"),
        ("203.0.113.0/24", "::ffff:203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
    ])
    func `a range contains the addresses that share its prefix`(_ range: String, _ address: String) throws {
        #expect(try #require(AddressRange(range)).contains(address))
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.8"), ("203.0.113.0/24", "203.0.114.0"), ("10.0.0.0/9", "10.128.0.0"),
        ("2001:db8::/33", "2001:db8:8000::"), ("0.0.0.0/0", "2001:db8::1"), ("::/0", "198.51.100.1"),
        ("0.0.0.0/0", ""), ("0.0.0.0/0", "nonsense"), ("0.0.0.0/0", "198.51.100.1:80"), ("::/0", "[::1]"),
        ("203.0.113.0/24", "203.0.113.7, 203.0.113.8"), ("203.0.113.0/24", "203.0.113.07x"),
    ])
    func `a range contains no other address`(_ range: String, _ address: String) throws {
        #expect(try !#require(AddressRange(range)).contains(address))
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0/8",
        "10.0.0.0/ 8", "::1/129", "example.com", "[::1]", "10.0.0.256",
    ])
    func `a range is not read from anything else`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test func `ranges are listed with commas, and one wrong range spoils the list`() {
        #expect(AddressRange.list("10.0.0.0/8, ::1")?.count == 2)
        for text in ["", " ", ",", "10.0.0.0/8,nonsense", "10.0.0.0/8 ::1"] {
            #expect(AddressRange.list(text) == nil, "\(text)")
        }
    }
}
