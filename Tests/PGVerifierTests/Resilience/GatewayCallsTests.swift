import OutboundHTTP
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GatewayCallsTests {
    @Test func `what fails in passing is asked again, three times at most`() async throws {
        let gateway = ScriptedGateway(.fail(.connectionLost), .answer(503, ""), .answer(200, "yes"))
        #expect(try await ask(gateway) == "yes")
        #expect(gateway.requests.count == 3)
        let broken = ScriptedGateway(.fail(.unreachable))
        #expect(await failure(broken)?.code == .unreachable)
        #expect(broken.requests.count == 3)
    }

    @Test func `what the gateway said itself is asked once`() async {
        let gateway = ScriptedGateway(.answer(404, ""))
        #expect(await failure(gateway)?.code == .notFound)
        #expect(gateway.requests.count == 1)
    }

    @Test func `attempts and pauses stay within the question's time`() async {
        let time = InstantTiming()
        let gateway = ScriptedGateway(.answer(429, "", headers: "Retry-After: 9\r\n"))
        #expect(await failure(gateway, time)?.code == .rateLimited)
        #expect(time.pauses == [.seconds(9)])
        #expect(gateway.requests.count == 2)
        #expect(gateway.requests[0].totalTimeout == .seconds(4))
        #expect(gateway.requests[1].totalTimeout == .seconds(1))
    }

    @Test func `a gateway that keeps failing isn't asked for a while, then probed`() async throws {
        let time = InstantTiming()
        let gateway = ScriptedGateway(
            .fail(.timeout), .fail(.timeout), .fail(.timeout), .answer(200, "well again"))
        var limits = GatewayLimits()
        limits.circuit.consecutiveFailures = 3
        let calls = GatewayCalls(gateway: "test", limits: limits, transport: gateway, timing: time.timing)
        #expect(await failure(calls)?.code == .timeout)
        #expect(await failure(calls)?.code == .circuitOpen)
        #expect(gateway.requests.count == 3)
        time.advance(by: .seconds(5))
        #expect(try await ask(calls) == "well again")
    }

    @Test func `time lost in our own queue is no failure of the gateway`() async {
        let time = InstantTiming()
        var limits = GatewayLimits()
        limits.callsPerSecond = 0.01
        limits.callBurst = 1
        let gateway = ScriptedGateway(.answer(200, "yes"))
        let calls = GatewayCalls(gateway: "test", limits: limits, transport: gateway, timing: time.timing)
        #expect(await failure(calls) == nil)
        #expect(await failure(calls)?.code == .overloaded)
        #expect(gateway.requests.count == 1)
    }

    @Test func `retries, the circuit and those who wait are counted`() async throws {
        let recorder = RecordingMetrics()
        var limits = GatewayLimits()
        limits.circuit.consecutiveFailures = 2
        let gateway = ScriptedGateway(.fail(.timeout))
        let calls = GatewayCalls(
            gateway: "g", limits: limits, transport: gateway, timing: InstantTiming().timing,
            metrics: GatewayMetrics(gateway: "g", factory: recorder))
        _ = await failure(calls)
        calls.metrics.batch(of: 7)
        calls.metrics.waiting(3)
        #expect(
            recorder.recorded == [
                "ledgerd_gateway_circuit_state gateway=g",
                "ledgerd_gateway_waiting gateway=g",
                "ledgerd_gateway_retries_total gateway=g operation=test",
                "ledgerd_gateway_circuit_state gateway=g",
                "ledgerd_gateway_retries_total gateway=g operation=test",
                "ledgerd_gateway_calls_total gateway=g operation=test outcome=circuit_open",
                "ledgerd_gateway_call_seconds gateway=g operation=test outcome=circuit_open",
                "ledgerd_gateway_lookup_batch_size gateway=g",
                "ledgerd_gateway_waiting gateway=g",
            ])
    }
}

private func ask(_ calls: GatewayCalls) async throws(GatewayError) -> String {
    try await calls.ask("test", within: .seconds(10)) { attempt throws(GatewayError) in
        guard let url = try? HTTPURL("https://gateway.invalid") else { return "" }
        let request = HTTPRequest(.get, url, totalTimeout: calls.limits.attemptTimeout)
        return try await calls.exchange(request, attempt) { response throws(GatewayError) in
            switch response.status {
            case 200: return String(decoding: response.body, as: UTF8.self)
            case 404: throw GatewayError(.notFound, isDefinite: true, message: "")
            case 429: throw GatewayError(.rateLimited, message: "", retryAfter: response.retryAfter)
            default: throw GatewayError(.serverError, message: "")
            }
        }
    }
}

private func ask(
    _ gateway: ScriptedGateway, _ time: InstantTiming = InstantTiming()
) async throws(GatewayError) -> String {
    try await ask(
        GatewayCalls(gateway: "test", limits: GatewayLimits(), transport: gateway, timing: time.timing))
}

private func failure(_ calls: GatewayCalls) async -> GatewayError? {
    do throws(GatewayError) {
        _ = try await ask(calls)
        return nil
    } catch {
        return error
    }
}

private func failure(_ gateway: ScriptedGateway, _ time: InstantTiming = InstantTiming()) async -> GatewayError? {
    await failure(GatewayCalls(gateway: "test", limits: GatewayLimits(), transport: gateway, timing: time.timing))
}
