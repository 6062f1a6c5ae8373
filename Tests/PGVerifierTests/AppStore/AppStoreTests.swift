import Crypto
import Foundation
import OutboundHTTP
import Synchronization
import TestSupport
import Testing
import WireFormats

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `a purchase is looked up, and is described as it is now`() async throws {
        let test = try StoreUnderTest(
            try house.found(["quantity": "3", "price": "3600000"]), house: house)
        let payment = try await test.store.payment(for: .appStore(try StoreUnderTest.id))
        #expect(test.production.requests.map(\.line) == ["GET /inApps/v1/transactions/2000000123456789"])
        #expect(payment.gateway == "app-store" && payment.paymentID == "2000000123456789")
        #expect(payment.merchantUID == "app-store:2000000123456789" && payment.merchantPaymentID == nil)
        #expect(payment.status == .paid && payment.amount == 3600 && payment.currency == "KRW")
        #expect(payment.cancelledAmount == 0 && payment.cancellations == [] && payment.isTest == false)
        #expect(payment.paidAt == ManualTime.noon && payment.startedAt == nil)
        #expect(
            payment.store
                == StorePurchase(
                    app: "com.example.shop", items: [.init(productID: "coins_100", quantity: 3)], price: 3_600_000,
                    isConsumable: true, storefront: "KOR", isFamilyShared: false,
                    accountToken: UUID(uuidString: "7e3fb20b-4cdb-47cc-936d-99d65f608138"), toldAt: ManualTime.noon))
        let receipt = try AppStore.receipt(paymentID: payment.paymentID, merchantUID: payment.merchantUID)
        #expect(receipt == .appStore(try StoreUnderTest.id))
    }

    @Test func `a request is signed with the app's key, and says no more than Apple's own client`() async throws {
        let test = try StoreUnderTest(try house.found(), house: house)
        _ = try await test.store.transaction(try StoreUnderTest.id)
        let bearer = try #require(test.production.requests[0].header("Authorization"))
        #expect(bearer.hasPrefix("Bearer "))
        let parts = bearer.dropFirst("Bearer ".count).split(separator: ".").map(String.init)
        let header = try Self.json(parts[0])
        #expect(header == .object(["alg": .string("ES256"), "kid": .string("2X9R4HXF34"), "typ": .string("JWT")]))
        #expect(
            try Self.json(parts[1])
                == .object([
                    "iss": .string("57246542-96fe-1a63-e053-0824d011072a"), "bid": .string("com.example.shop"),
                    "aud": .string("appstoreconnect-v1"), "exp": .number("1794713940"),
                ]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Self.bytes(parts[2]))
        let signed = Data((parts[0] + "." + parts[1]).utf8)
        #expect(AppStoreHouse.apiKey.publicKey.isValidSignature(signature, for: signed))
    }

    @Test func `production is asked first, and the sandbox only for what production does not have`() async throws {
        let sandbox = try house.found(["environment": #""Sandbox""#])
        let first = try StoreUnderTest(try house.found(), sandbox: [sandbox], house: house)
        #expect(try await first.store.payment(for: .appStore(try StoreUnderTest.id)).isTest == false)
        #expect(first.sandbox.requests.isEmpty)
        // 401 is also what production says of an app that was never released, as when App Review buys.
        for step in [ScriptedGateway.Step.unknown, .unauthorized] {
            let second = try StoreUnderTest(step, sandbox: [sandbox], house: house)
            #expect(try await second.store.payment(for: .appStore(try StoreUnderTest.id)).isTest == true)
        }
    }

    @Test(arguments: [
        (ScriptedGateway.Step.unknown, ScriptedGateway.Step.unknown, GatewayError.Code.notFound, true),
        (.unauthorized, .unknown, .unauthorized, false), (.unknown, .unauthorized, .unauthorized, false),
        (.unauthorized, .unauthorized, .unauthorized, false), (.refusal(400, 4_000_006), .unknown, .notFound, true),
        (.unknown, .refusal(500, 5_000_000), .serverError, false), (.unknown, .fail(.timeout), .timeout, false),
    ])
    func `a purchase does not exist only if every environment says so`(
        production: ScriptedGateway.Step, sandbox: ScriptedGateway.Step, code: GatewayError.Code, isDefinite: Bool
    ) async throws {
        let test = try StoreUnderTest(production, sandbox: [sandbox], house: house)
        let error = await failure { try await test.store.payment(for: .appStore(try StoreUnderTest.id)) }
        #expect(error?.code == code && error?.isDefinite == isDefinite)
    }

    @Test func `where the sandbox is off it is not asked`() async throws {
        let test = try StoreUnderTest(.unknown, house: house, environments: [.production])
        let error = await failure { try await test.store.payment(for: .appStore(try StoreUnderTest.id)) }
        #expect(error?.isNoSuchThing == true)
        #expect(test.sandbox.requests.isEmpty)
        #expect(
            await failure { try await test.store.transaction(try StoreUnderTest.id, in: .sandbox) }?.code
                == .invalidRequest)
    }

    @Test func `who knows the environment asks only there`() async throws {
        let test = try StoreUnderTest(.unknown, sandbox: [.unknown], house: house)
        _ = await failure { try await test.store.transaction(try StoreUnderTest.id, in: .sandbox) }
        #expect(test.production.requests.isEmpty && test.sandbox.requests.count == 1)
    }

    @Test(arguments: [
        (ScriptedGateway.Step.answer(302, ""), GatewayError.Code.redirect), (.answer(403, ""), .unauthorized),
        (.refusal(404, 4_040_001), .refused), (.refusal(404, 4_040_003), .refused),
        (.refusal(404, 4_040_002), .notFoundYet), (.refusal(404, 4_040_004), .notFoundYet),
        (.refusal(404, 4_040_006), .notFoundYet), (.refusal(404, 4_040_005), .notFound),
        (.refusal(400, 4_000_002), .refused), (.refusal(500, 5_000_001), .serverError),
        (.answer(502, "<html>"), .serverError),
        (.answer(404, "<html>"), .malformedAnswer), (.answer(404, "{}"), .malformedAnswer),
        (.answer(404, #"{"errorCode":"4040010"}"#), .malformedAnswer),
        (.answer(404, #"{"errorCode":4040010e0}"#), .malformedAnswer), (.answer(200, ""), .malformedAnswer),
        (.answer(200, "[]"), .malformedAnswer), (.answer(200, "{}"), .malformedAnswer),
        (.answer(200, #"{"signedTransactionInfo":7}"#), .malformedAnswer),
        (.answer(200, #"{"signedTransactionInfo":"a.b.c"}"#), .unreadablePayment),
    ])
    func `what the store answers has one meaning`(step: ScriptedGateway.Step, code: GatewayError.Code) async throws {
        let test = try StoreUnderTest(step, house: house, environments: [.production])
        let error = await failure { try await test.store.transaction(try StoreUnderTest.id) }
        #expect(error?.code == code)
        #expect(error?.isDefinite == (code == .notFound))
    }

    @Test func `an error tells the store's number and words`() async throws {
        let test = try StoreUnderTest(.refusal(400, 4_000_047), house: house)
        let error = await failure { try await test.store.finish(try StoreUnderTest.id, in: .production) }
        #expect(error?.gatewayCode == 4_000_047 && error?.message == "as scripted" && error?.httpStatus == 400)
    }

    @Test func `what may be found later is asked for again`() async throws {
        let test = try StoreUnderTest(.refusal(404, 4_040_006), try house.found(), house: house)
        _ = try await test.store.payment(for: .appStore(try StoreUnderTest.id))
        #expect(test.production.requests.count == 2)
    }

    @Test func `an answer that is not the store's about this purchase decides nothing`() async throws {
        let stranger = try AppStoreHouse()
        let answers = [
            try house.found(["transactionId": #""2000000123456780""#]), try house.found(["environment": #""Sandbox""#]),
            try house.found(["bundleId": #""com.example.other""#]), try stranger.found(),
        ]
        for answer in answers {
            let test = try StoreUnderTest(answer, sandbox: [try house.found()], house: house)
            let error = await failure { try await test.store.payment(for: .appStore(try StoreUnderTest.id)) }
            #expect(error?.code == .malformedAnswer && error?.isDefinite == false)
            #expect(test.sandbox.requests.isEmpty)
        }
    }

    /// The request of the first may have been answered before the refund that the second is about.
    @Test func `who asks for the present payment joins no look-up that began before`() async throws {
        let transport = FirstHeld(ScriptedGateway(try house.found()))
        let store = AppStore(
            configuration: try house.configuration(environments: [.production]), transport: transport,
            timing: InstantTiming().timing)
        let receipt = Receipt.appStore(try StoreUnderTest.id)
        let early = Task { try await store.payment(for: receipt) }
        while transport.count == 0 { await Task.yield() }
        let present = Task { try await store.presentPayment(for: receipt) }
        for _ in 0..<1000 { await Task.yield() }
        transport.release()
        _ = (try await early.value, try await present.value)
        #expect(transport.count == 2)
    }

    @Test func `a receipt of another gateway is refused before anything is sent`() async throws {
        let test = try StoreUnderTest(.unknown, house: house)
        let error = await failure { try await test.store.payment(for: V2.receipt) }
        #expect(error?.code == .invalidRequest)
        #expect(test.production.requests.isEmpty)
    }

    @Test func `a probe accepts keys with which nothing is found`() async throws {
        let configuration = try house.configuration(environments: [.production])
        let cases: [(ScriptedGateway.Step, GatewayError.Code?)] = [
            (.unknown, nil), (.refusal(400, 4_000_006), nil), (.unauthorized, .unauthorized),
            (.refusal(404, 4_040_003), .refused), (.fail(.unreachable), .unreachable),
        ]
        for (step, code) in cases {
            let probe = await configuration.probe(.production, over: ScriptedGateway(step))
            #expect(probe != nil && probe?.failure?.code == code)
        }
        #expect(await configuration.probe(.sandbox, over: ScriptedGateway(.unknown)) == nil)
    }

    private static func bytes(_ base64URL: String) -> Data {
        let text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data()
    }

    private static func json(_ base64URL: String) throws -> JSON { try JSONParser.parse([UInt8](bytes(base64URL))) }
}

/// Holds the first request until it is released.
private final class FirstHeld: HTTPTransport {
    private let gateway: ScriptedGateway
    private let sent = Mutex(0)
    private let (held, gate) = AsyncStream<Void>.makeStream()

    init(_ gateway: ScriptedGateway) {
        self.gateway = gateway
    }

    /// How many requests were sent.
    var count: Int { sent.withLock(\.self) }

    func release() { gate.finish() }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let isFirst = sent.withLock { sent in
            sent += 1
            return sent == 1
        }
        if isFirst { for await _ in held {} }
        return try await gateway.send(request)
    }
}

/// Why a call of the gateway fails; nil if it does not.
func failure<Answer>(_ call: () async throws -> Answer) async -> GatewayError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error as? GatewayError
    }
}
