import Foundation

/// Webhooks: how late events arrive at many endpoints, and what one endpoint that never answers costs the others.
struct EndpointsPart: MeasuredPart {
    static let name = "endpoints"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        var scale = scale
        scale.settings["LEDGERD_ENDPOINT_KEY"] = Data(repeating: 7, count: 32).base64EncodedString()
        scale.settings["LEDGERD_ENDPOINT_NETWORKS"] = "127.0.0.1"
        let measured = scale
        try await ServiceUnderLoad.with(measured) { service in
            let receiver = try HookReceiver()
            try service.addEndpoints(measured.endpoints, at: receiver.port)
            // The first connections and the statements' plans are not measured.
            _ = try await service.tellEveryone(of: measured.delivered / 5, receiver, named: "warm-up", measured)
            try await deliver(Figures.deliveryDelay, service, receiver, measured, report)
            receiver.hang(at: "/0")
            try await deliver(Figures.deliveryDelayBesideHanging, service, receiver, measured, report)
            report.record(
                Figures.memory("\(measured.endpoints) endpoints"), service.ledgerd.memory("VmHWM"), .mebibytes)
        }
    }

    private func deliver(
        _ figure: String, _ service: ServiceUnderLoad, _ receiver: HookReceiver, _ scale: Scale, _ report: BenchReport
    ) async throws {
        let missing = try await service.tellEveryone(of: scale.delivered, receiver, named: figure, scale)
        let delays = receiver.takeDelays()
        func delay(_ percentile: Double) -> Double { Double(delays.valueAtPercentile(percentile)) / 1000 }
        report.record(
            figure, delay(99), .milliseconds, problems: missing == 0 ? [] : ["\(missing) deliveries are missing"],
            note: "p50 \(delay(50).text) ms, p90 \(delay(90).text) ms, \(delays.totalCount) deliveries")
    }
}

extension ServiceUnderLoad {
    /// Creates endpoints, each with a path of its own: `/0` and so on.
    fileprivate func addEndpoints(_ count: Int, at port: Int) throws {
        let token = Self.token("integrator", scope: "endpoints events")
        for number in 0..<count {
            let body = #"{"url": "http://127.0.0.1:\#(port)/\#(number)"}"#
            _ = try ask(
                ledgerd,
                HTTPRequest("POST", "/v1/endpoints", token: token, key: "\(number)", body: body, expecting: 201))
        }
    }

    /// Gives coins to users, at regular times, and waits until all endpoints that answer got each.
    ///
    /// - Returns: how many deliveries did not arrive.
    fileprivate func tellEveryone(
        of events: Int, _ receiver: HookReceiver, named name: String, _ scale: Scale
    ) async throws -> Int {
        receiver.takeDelays()
        let token = Self.token("bench", scope: "service:grant")
        let connection = try HTTPConnection(port: ledgerd.port)
        for number in 0..<events {
            let answer = try connection.ask(
                HTTPRequest(
                    "POST", "/v1/users/user-\(number % 16)/grants", token: token, key: "\(name) \(number)",
                    body: #"{"coins": 1, "reason": "bench"}"#))
            guard answer.status == 201 else { throw Program.Failed(description: answer.body) }
            try await Task.sleep(for: .seconds(scale.seconds))
        }
        let expected = events * (scale.endpoints - (receiver.isHanging ? 1 : 0))
        let deadline = ContinuousClock.now + .seconds(60)
        while receiver.count < expected, .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        return expected - receiver.count
    }
}
