import HTTPTypes
import Hummingbird
import OutboundHTTP
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct WebhookSourcesTests {
    private func isTaken(
        from peer: String?, forwarded: [String] = [], allowed: String = "203.0.113.0/24", proxies: String? = nil
    ) -> Bool {
        var headers = HTTPFields()
        for value in forwarded { headers.append(HTTPField(name: .xForwardedFor, value: value)) }
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/", headerFields: headers)
        let sources = WebhookSources(
            allowed: AddressRange.list(allowed) ?? [], proxies: proxies.flatMap(AddressRange.list) ?? [])
        do {
            try sources.check(Request(head: head, body: .init(buffer: ByteBuffer())), from: peer)
            return true
        } catch {
            return false
        }
    }

    @Test func `any source is accepted when none is named`() {
        #expect(isTaken(from: "198.51.100.1", allowed: ""))
        #expect(isTaken(from: nil, allowed: ""))
    }

    @Test func `the source is the caller, whatever it says of others`() {
        #expect(isTaken(from: "203.0.113.7"))
        #expect(isTaken(from: "::ffff:203.0.113.7"))
        #expect(!isTaken(from: "198.51.100.1"))
        #expect(!isTaken(from: nil))
        #expect(!isTaken(from: "198.51.100.1", forwarded: ["203.0.113.7"]))
        #expect(isTaken(from: "203.0.113.7", forwarded: ["198.51.100.1"]))
    }

    @Test func `the source is whom the last trusted proxy names, never further left`() {
        func isTaken(_ forwarded: String..., from peer: String = "10.0.0.1") -> Bool {
            self.isTaken(from: peer, forwarded: forwarded, proxies: "10.0.0.0/8")
        }
        #expect(isTaken("203.0.113.7"))
        #expect(isTaken("203.0.113.7, 10.0.0.2"))
        #expect(isTaken("203.0.113.7", "10.0.0.2"))
        #expect(isTaken("198.51.100.1, 203.0.113.7"))
        #expect(!isTaken())
        #expect(!isTaken(""))
        #expect(!isTaken("203.0.113.7, 198.51.100.1"))
        #expect(!isTaken("203.0.113.7", "198.51.100.1"))
        #expect(!isTaken("203.0.113.7, nonsense, 10.0.0.2"))
        #expect(!isTaken("203.0.113.7", from: "198.51.100.1"))
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("nonsense", nil),
    ])
    func `sources are counted by address, in IPv6 by what one host has to itself`(address: String, network: String?) {
        #expect(AddressRange.network(of: address) == network)
    }
}
