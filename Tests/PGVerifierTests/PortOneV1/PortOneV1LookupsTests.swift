import FoundationEssentials
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV1LookupsTests {
    @Test func `look-ups that come while all calls are busy share the next, and each gets its own answer`() async throws
    {
        try await GatewayUnderTest.run { gateway in
            var receipts: [Receipt] = []
            for number in 0..<120 {
                receipts.append(try await gateway.pay(#""amount": \#(number + 1)"#, merchantUID: "order-\(number)"))
            }
            let transport = HeldTransport(gateway.transport)
            let client = gateway.client(transport: transport) { $0.lookupsAtOnce = 1 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, receipt) in receipts.enumerated() {
                    group.addTask {
                        let payment = try await client.payment(for: receipt)
                        #expect(payment.amount == Int64(number + 1))
                    }
                    while number == 0, !transport.isAsked { await Task.yield() }
                }
                try await eventually("all but the first wait") { await client.lookups.waiting == 119 }
                transport.release()
                try await group.waitForAll()
            }
            // The first alone, then a hundred, then the rest.
            #expect(try await gateway.journal("/payments").count == 3)
        }
    }

    @Test func `who waits for the rate limit joins the next call`() async throws {
        let payments = (0..<40).map { payment("imp_\($0)") }.joined(separator: ",")
        let gateway = ScriptedGateway(.answer(200, envelope(payment("imp_0"))), .answer(200, envelope("[\(payments)]")))
        var limits = GatewayLimits(totalTimeout: .seconds(3600))
        // The token and the first look-up take what there is; the next call may be made half a second later.
        (limits.callsPerSecond, limits.callBurst) = (2, 2)
        let time = InstantTiming()
        let (held, gate) = AsyncStream<Void>.makeStream()
        let pause: @Sendable (Duration) async throws -> Void = { pause in
            for await _ in held {}
            time.advance(by: pause)
        }
        let client = PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret", limits: limits),
            transport: gateway, logger: .quiet, timing: GatewayTiming(time: time.time, pause: pause))
        _ = try await client.payment(for: try receipt("imp_0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1..<40 { group.addTask { _ = try await client.payment(for: try receipt("imp_\(number)")) } }
            try await eventually("all wait") { await client.lookups.waiting == 39 }
            gate.finish()
            try await group.waitForAll()
        }
        #expect(gateway.requests.count == 2, "\(gateway.requests.map(\.line))")
    }

    @Test func `look-ups that leave before their call is made keep no place`() async throws {
        let gateway = ScriptedGateway(.answer(200, envelope(payment("imp_1"))))
        var limits = GatewayLimits()
        (limits.maxConcurrentCalls, limits.totalTimeout) = (1, .seconds(3600))
        let client = PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret", limits: limits),
            transport: gateway, logger: .quiet, timing: InstantTiming().timing)
        for _ in 0..<50 {
            let leaving = Task { try? await client.payment(for: try receipt("imp_1")) }
            leaving.cancel()
            _ = await leaving.value
        }
        for _ in 0..<3 { _ = try await client.payment(for: try receipt("imp_1")) }
    }

    @Test func `one look-up alone asks for its payment alone`() async throws {
        let gateway = ScriptedGateway(.answer(200, envelope(payment("imp_1"))))
        _ = try await client(gateway).payment(for: try receipt("imp_1"))
        #expect(gateway.requests.map(\.line) == ["GET /payments/imp_1"])
    }

    @Test func `identical look-ups in a batch are asked for once`() async throws {
        let gateway = ScriptedGateway(.answer(200, envelope(payment("imp_1"))))
        let client = try client(gateway)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await client.payment(for: try receipt("imp_1")) } }
            try await group.waitForAll()
        }
        #expect(gateway.requests.allSatisfy { $0.line == "GET /payments/imp_1" })
        #expect(gateway.requests.count < 50)
    }

    @Test func `what a 207 leaves out is definitely not found, and what a 200 leaves out is unknown`() async throws {
        for (status, isDefinite) in [(207, true), (200, false)] {
            let outcomes = try await together(.answer(status, envelope("[" + payment("imp_2") + "]")))
            #expect(outcomes["imp_2"]?.payment?.paymentID == "imp_2")
            #expect(outcomes["imp_1"]?.error?.isDefinite == isDefinite)
            #expect(outcomes["imp_1"]?.error?.code == (isDefinite ? .notFound : .malformedAnswer))
        }
    }

    @Test func `a 404 for many is each one's`() async throws {
        let outcomes = try await together(.answer(404, #"{"code":-1,"message":"none","response":null}"#))
        for outcome in outcomes.values { #expect(outcome.error?.isNoSuchThing == true) }
        #expect(outcomes.count == 2)
    }

    @Test func `an element that names nobody leaves those that seem missing unknown`() async throws {
        let outcomes = try await together(.answer(207, envelope("[{}," + payment("imp_2") + "]")))
        #expect(outcomes["imp_1"]?.error?.code == .malformedAnswer)
        #expect(outcomes["imp_1"]?.error?.isDefinite == false)
    }

    @Test func `a payment that can't be read fails alone`() async throws {
        let broken = payment("imp_1").replacing("1000", with: "1000.5")
        let outcomes = try await together(.answer(200, envelope("[" + broken + "," + payment("imp_2") + "]")))
        #expect(outcomes["imp_1"]?.error?.code == .unreadablePayment)
        #expect(outcomes["imp_2"]?.payment != nil)
    }

    @Test func `a failed call is each waiter's failure`() async throws {
        for (step, code) in [
            (ScriptedGateway.Step.fail(.connectionLost), GatewayError.Code.connectionLost),
            (.answer(200, "<html>"), .malformedAnswer), (.answer(500, ""), .serverError),
            (.answer(200, envelope("null")), .malformedAnswer),
        ] {
            let outcomes = try await together(step)
            #expect(outcomes.count == 2)
            for outcome in outcomes.values {
                #expect(outcome.error?.code == code && outcome.error?.isDefinite == false)
            }
        }
    }

    @Test func `a test payment is as hidden among many as it is alone`() async throws {
        let tests = payment("imp_1").replacing("false", with: "true")
        let step = ScriptedGateway.Step.answer(200, envelope("[" + tests + "," + payment("imp_2") + "]"))
        #expect(try await together(step)["imp_1"]?.error?.isNoSuchThing == true)
        let shown = try await together(step, includeTestPayments: true)
        #expect(shown["imp_1"]?.payment?.isTest == true)
    }

    @Test func `whether a payment is a test is asked of the look-up of one when that of many doesn't say`() async throws
    {
        let silent = payment("imp_1").replacing(#""sandbox":false,"#, with: "")
        let (outcomes, requests) = try await script(
            .answer(200, envelope(payment("imp_0"))),
            .answer(200, envelope("[" + silent + "," + payment("imp_2") + "]")),
            .answer(404, #"{"code":-1,"message":"none","response":null}"#))
        #expect(outcomes["imp_1"]?.error?.isNoSuchThing == true)
        #expect(outcomes["imp_2"]?.payment != nil)
        #expect(requests.last?.line == "GET /payments/imp_1")
    }

    @Test func `a full queue refuses, and nobody waits longer than the question's time`() async throws {
        try await GatewayUnderTest.run { gateway in
            try await gateway.fault(#""kind": "timeout", "path": "/payments", "times": 100"#)
            func client(_ time: ManualTime = ManualTime()) -> PortOneV1 {
                gateway.client(time: time) { limits in
                    limits.lookupsAtOnce = 1
                    limits.maxWaitingLookups = 2
                }
            }
            let codes = Codes()
            let patient = client()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let code = try await outcome(patient, "imp_\(number)").error?.code
                        codes.all.withLock { $0.append(code) }
                    }
                    if number == 0 { try await gateway.isAsked("/payments") }
                }
                try await eventually("two wait, and the others are refused") { codes.all.withLock(\.count) == 5 }
                group.cancelAll()
            }
            let refused = Array(repeating: GatewayError.Code?.some(.overloaded), count: 5)
            #expect(codes.all.withLock(\.self) == refused + [.cancelled, .cancelled, .cancelled])
            let time = ManualTime()
            let hasty = client(time)
            async let first = outcome(hasty, "imp_first").error?.code
            try await gateway.isAsked("/payments/imp_first")
            async let second = outcome(hasty, "imp_second").error?.code
            try await eventually("the second waits") { await hasty.lookups.waiting == 1 }
            await time.advance(by: .seconds(3600))
            #expect(try await [first, second] == [.timeout, .timeout])
        }
    }
}

private final class Codes: Sendable {
    let all = Mutex<[GatewayError.Code?]>([])
}

private typealias Outcome = Result<GatewayPayment, GatewayError>

extension Result where Success == GatewayPayment, Failure == GatewayError {
    fileprivate var payment: GatewayPayment? { try? get() }

    fileprivate var error: GatewayError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

private func outcome(_ client: PortOneV1, _ impUID: String) async throws -> Outcome {
    let receipt = try receipt(impUID)
    do throws(GatewayError) {
        return .success(try await client.payment(for: receipt))
    } catch {
        return .failure(error)
    }
}

/// The outcomes of two look-ups that share a call, which is answered by `step`.
private func together(
    _ step: ScriptedGateway.Step, includeTestPayments: Bool = false
) async throws -> [String: Outcome] {
    let first = ScriptedGateway.Step.answer(200, envelope(payment("imp_0")))
    return try await script(first, step, includeTestPayments: includeTestPayments).0
}

/// The first look-up keeps the only call busy until the two others wait.
private func script(
    _ first: ScriptedGateway.Step, _ steps: ScriptedGateway.Step..., includeTestPayments: Bool = false
) async throws -> ([String: Outcome], [HTTPRequest]) {
    let script = ScriptedGateway([first] + steps)
    let gateway = HeldTransport(script)
    let client = try client(gateway, includeTestPayments: includeTestPayments)
    return try await withThrowingTaskGroup(of: (String, Outcome).self) { group in
        group.addTask { ("imp_0", try await outcome(client, "imp_0")) }
        while !gateway.isAsked { await Task.yield() }
        for impUID in ["imp_1", "imp_2"] { group.addTask { (impUID, try await outcome(client, impUID)) } }
        try await eventually("they wait") { await client.lookups.waiting == 2 }
        gateway.release()
        var outcomes = try await group.reduce(into: [String: Outcome]()) { $0[$1.0] = $1.1 }
        outcomes["imp_0"] = nil
        return (outcomes, script.requests)
    }
}

/// Holds the first look-up back until it is released.
private final class HeldTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let asked = Atomic(false)
    private let (held, gate) = AsyncStream<Void>.makeStream()

    init(_ transport: any HTTPTransport) { self.transport = transport }

    var isAsked: Bool { asked.load(ordering: .acquiring) }

    func release() { gate.finish() }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if request.method == .get, !asked.exchange(true, ordering: .acquiringAndReleasing) { for await _ in held {} }
        return try await transport.send(request)
    }
}

private func client(_ transport: any HTTPTransport, includeTestPayments: Bool = false) throws -> PortOneV1 {
    var limits = GatewayLimits()
    limits.lookupsAtOnce = 1
    limits.maxAttempts = 1
    return PortOneV1(
        configuration: PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret",
            includeTestPayments: includeTestPayments, limits: limits),
        transport: transport, logger: .quiet, timing: InstantTiming().timing)
}

private func receipt(_ impUID: String) throws -> Receipt {
    .v1(impUID: try ImpUID(impUID), merchantUID: try MerchantUID("o"))
}

private func payment(_ impUID: String) -> String {
    #"{"imp_uid":"\#(impUID)","merchant_uid":"o","status":"paid","sandbox":false,"amount":1000,"currency":"KRW"}"#
}

private func envelope(_ response: String) -> String { #"{"code":0,"message":null,"response":\#(response)}"# }
