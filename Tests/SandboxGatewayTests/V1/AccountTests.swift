import FoundationEssentials
import Hummingbird
import SandboxSupport
import SandboxTestSupport
import Testing

@testable import SandboxGateway

@Suite(.timeLimit(.minutes(20))) struct AccountTests {
    private static let body = """
        {"channel_key": "c", "merchant_uid": "order-1", "amount": 1000, "vbank_code": "004", "vbank_due": 1700086400,
         "buyer_name": "홍"}
        """

    @Test func `an account is issued, changed and closed while it waits`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let issued = try await sandbox.call(.post, "/vbanks", json: Self.body)
            let payment = issued["response"]
            #expect(issued.code == .int(0) && payment["status"] == .string("ready"))
            #expect(payment["vbank_date"] == .int(1_700_086_400) && payment["buyer_name"] == .string("홍"))
            let path = "/vbanks/" + payment["imp_uid"].text
            let changed = try await sandbox.call(.put, path, json: #"{"amount": 2000, "vbank_due": 1700090000}"#)
            #expect(changed["response"]["amount"] == .int(2000))
            #expect(changed["response"]["vbank_date"] == .int(1_700_090_000))
            #expect(try await sandbox.call(.delete, path)["response"]["status"] == .string("failed"))
            #expect(try await sandbox.call(.delete, path).status == 400)
            #expect(try await sandbox.call(.delete, "/vbanks/imp_0").status == 404)
        }
    }

    @Test(arguments: ["channel_key", "merchant_uid", "amount", "vbank_code", "vbank_due"])
    func `an account needs its particulars`(missing: String) async throws {
        try await SandboxUnderTest.run { sandbox in
            let body = Self.body.replacing("\"\(missing)\"", with: "\"x\"")
            let answer = try await sandbox.call(.post, "/vbanks", json: body)
            #expect(answer.status == 400 && answer.message.hasPrefix(missing))
        }
    }

    @Test func `a payment isn't split up`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.pay()
            #expect(try await sandbox.call(.get, "/payments/\(payment)/balance").status == 405)
            #expect(try await sandbox.call(.get, "/payments/imp_0/balance").status == 404)
        }
    }

    @Test func `a sub-store's payment is reached with its tier only`() async throws {
        try await SandboxUnderTest.run { sandbox in
            let payment = try await sandbox.pay(#""amount": 1000, "tier": "A01""#)
            let token = try await sandbox.token()["access_token"].text
            for (tier, status) in [(nil, 404), ("A01", 200), ("A02", 404), ("a01", 400)] as [(String?, Int)] {
                let answer = try await sandbox.send(
                    .get, "/payments/\(payment)", authorization: token, tier: tier)
                #expect(answer.status == status)
            }
            let name = try await sandbox.call(.get, "/tiers/A01")
            #expect(name["response"]["tier_code"] == .string("A01"))
        }
    }
}
