import Foundation
import Ledger
import OutboundHTTP
import StandardWebhooks
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct EndpointKeysTests {
    private func keys(_ text: String) throws -> EndpointKeys {
        let masters = try #require(EndpointKeys.Master.list(text))
        return try #require(EndpointKeys(masters: masters, signing: []))
    }

    @Test func `a secret is the same whenever it is made, and another for each salt and key`() throws {
        let (first, second) = (EndpointKeys.Master.newText(), EndpointKeys.Master.newText())
        let keys = try keys(first)
        let (one, other) = (keys.newSeed(), keys.newSeed())
        let secret = try #require(keys.secret(of: one)?.text)
        #expect(keys.secret(of: one)?.text == secret && keys.secret(of: other)?.text != secret)
        #expect(secret.hasPrefix("whsec_") && Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32)
        #expect(try self.keys(second).secret(of: one) == nil)
        #expect(try self.keys("\(second), \(first)").secret(of: one)?.text == secret)
        #expect(try self.keys("\(second),\(first)").newSeed().keyID == self.keys(second).newSeed().keyID)
    }

    @Test func `the derivation never changes`() throws {
        // HKDF-SHA256, by RFC 5869, computed with Python's hmac.
        let keys = try keys(Data(repeating: 7, count: 32).base64EncodedString())
        let seed = SecretSeed(keyID: keys.newSeed().keyID, salt: Array(repeating: 1, count: 16))
        #expect(keys.secret(of: seed)?.text == "whsec_vmaQuDte0Pq/H05hZVKbm3Muq6jGx+6IVSmZW94JVUs=")
    }

    @Test(arguments: ["", "abc", "AAAA", ","])
    func `a key is 32 bytes in base64`(text: String) {
        #expect(EndpointKeys.Master.list(text) == nil)
        #expect(EndpointKeys.signingKeys(text) == nil)
    }

    @Test(arguments: [
        "http://hooks.example.com/", "https://10.0.0.1/", "https://127.0.0.2/", "https://0x7f.2/",
        "https://2130706434/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::10.0.0.1]/",
        "https://169.254.169.254/latest", "https://100.64.1.1/", "https://224.0.0.1/", "https://0/",
        "https://[fd00::1]/", "https://user:pw@example.com/", "https://example.com:22/", "https://example.com:80/",
        "ftp://example.com/", "file:///etc/passwd", "example.com", "", "https://[fe80::1]/", "https://2002:7f00:1::/",
    ])
    func `a URL that ledgerd must not call breaks a rule`(url: String) throws {
        let urls = EndpointURL(addressGuard: AddressGuard(allowing: try #require(AddressRange.list("127.0.0.1"))))
        #expect(urls.violatedRule(url) != nil)
    }

    @Test func `an http URL is allowed only to a loopback address that is allowed`() throws {
        let closed = EndpointURL(addressGuard: AddressGuard())
        let open = EndpointURL(
            addressGuard: AddressGuard(allowing: try #require(AddressRange.list("127.0.0.0/8, 10.1.0.0/16"))))
        for url in ["http://127.0.0.1:9000/", "http://localhost:9000/hooks"] {
            #expect(closed.violatedRule(url) != nil && open.violatedRule(url) == nil, "\(url)")
        }
        #expect(open.violatedRule("http://10.1.0.1/") != nil && open.violatedRule("https://10.1.0.1/") == nil)
        #expect(closed.violatedRule("https://hooks.example.com/a?b=c") == nil)
    }
}
