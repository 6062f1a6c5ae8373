import Foundation
import Logging
import OutboundHTTP
import PGVerifier
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct PaymentSweepTests {
    private static let interval: Duration = .seconds(600)

    @Test func `the first sweep comes at the start, and each reaches back two intervals and ten minutes`() async throws
    {
        try await ManualTime.with { time in
            let (gateway, log) = (EmptyGateway(), LogCapture())
            let sweep = PaymentSweep(
                gateways: [try gateway.client()], interval: Self.interval, logger: log.logger()
            ) { _ in }
            let running = Task { try await sweep.run() }
            for number in 1...3 {
                try await eventually("a sweep is over, and the next one waited for") {
                    log.events.count { $0["msg"] as? String == "sweep finished" } == number && time.asleep == 1
                }
                await time.advance(by: Self.interval - .nanoseconds(1))
                #expect(gateway.asked.count == number)
                if number < 3 { await time.advance(by: .nanoseconds(1)) }
            }
            running.cancel()
            try await running.value
            let noon = Int(ManualTime.noon.timeIntervalSince1970)
            #expect(
                gateway.asked == [0, 600, 1200].map { "from=\(noon + $0 - 1800)&to=\(noon + $0)" })
        }
    }
}

/// A gateway that has no payments, with the periods that it was asked for.
private final class EmptyGateway: HTTPTransport {
    private let periods = Mutex<[String]>([])

    var asked: [String] { periods.withLock(\.self) }

    func client() throws -> PortOneV1 {
        PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
            transport: self, logger: LogCapture().logger())
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if request.url.text.hasSuffix("/users/getToken") {
            let token = #"{"code":0,"message":null,"response":{"access_token":"t","now":100,"expired_at":99999}}"#
            return HTTPResponse(status: 200, body: Array(token.utf8))
        }
        let period = request.url.text.firstMatch(of: /from=\d+&to=\d+/).map { String($0.0) }
        periods.withLock { $0.append(period ?? request.url.text) }
        return HTTPResponse(status: 404, body: Array(#"{"code":-1,"message":"none","response":null}"#.utf8))
    }
}
