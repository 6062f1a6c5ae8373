package import FoundationEssentials
import OutboundHTTP

/// What one harmless request told about a gateway: whether it accepts our keys, and which time its clock shows.
package struct GatewayProbe: Sendable {
    /// Why the gateway did not accept the keys; nil if it did.
    package let failure: GatewayError?

    /// How far the gateway's clock is ahead of ours, in seconds; nil without a readable `Date` header.
    ///
    /// The header has whole seconds (RFC 9110, 5.6.7), so the error is about half a second plus half the round trip.
    package let clockOffset: TimeInterval?

    package init(failure: GatewayError?, clockOffset: TimeInterval? = nil) {
        self.failure = failure
        self.clockOffset = clockOffset
    }

    /// Sends the request once, outside the limits and retries of the service's own calls.
    ///
    /// - Parameter judge: throws unless the response shows that the keys are accepted.
    static func send(
        _ request: HTTPRequest, over transport: any HTTPTransport, judge: (HTTPResponse) throws(GatewayError) -> Void
    ) async -> GatewayProbe {
        let sent = Date.now
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            return GatewayProbe(failure: GatewayError(error))
        }
        let received = Date.now
        let middle = sent.addingTimeInterval(received.timeIntervalSince(sent) / 2)
        // Half a second more: the header's second has begun, on average half of it.
        let offset = response.headers["date"].flatMap(HTTPDate.parse).map { $0.timeIntervalSince(middle) + 0.5 }
        do throws(GatewayError) {
            try judge(response)
            return GatewayProbe(failure: nil, clockOffset: offset)
        } catch {
            return GatewayProbe(failure: error, clockOffset: offset)
        }
    }
}
