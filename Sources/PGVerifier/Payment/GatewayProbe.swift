package import FoundationEssentials
package import OutboundHTTP
import WireFormats

/// What one harmless request told about a gateway: whether it accepts our keys, and which time its clock shows.
package struct GatewayProbe: Sendable {
    /// Why the gateway did not accept the keys; nil if it did.
    package let failure: GatewayError?

    /// How far the gateway's clock is ahead of ours, in seconds; nil without a readable `Date` header.
    ///
    /// The header has whole seconds (RFC 9110, 5.6.7), so the error is about half a second plus half the round trip.
    package let clockOffset: TimeInterval?

    private init(failure: GatewayError?, clockOffset: TimeInterval? = nil) {
        self.failure = failure
        self.clockOffset = clockOffset
    }

    /// Sends the request once, outside the limits and retries of the service's own calls.
    ///
    /// - Parameter judge: throws unless the response shows that the keys are accepted.
    fileprivate static func send(
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

extension PortOneV1Configuration {
    /// Requests an access token (`POST /users/getToken`).
    ///
    /// While one is valid the gateway returns the same one, so other users of the keys notice nothing.
    package func probe(over transport: any HTTPTransport) async -> GatewayProbe {
        await .send(tokenRequest, over: transport) { response throws(GatewayError) in
            _ = try AccessToken(try response.portOneV1Answer().response, sent: .now)
        }
    }
}

extension PortOneV2Configuration {
    /// Looks up a payment of the store that does not exist (`GET /payments/{paymentId}?storeId=…`): the gateway says so
    /// only to who may read the store's payments.
    ///
    /// Not by `POST /login/api-secret`, which ends the refresh tokens of other servers that use the same secret.
    package func probe(over transport: any HTTPTransport) async -> GatewayProbe {
        let paymentID = "ledgerd-check-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let call = GatewayCall(path: ["payments", paymentID], query: [(name: "storeId", value: storeID)])
        let request = call.request(to: url, authorization: "PortOne " + secret.text, limits)
        return await .send(request, over: transport) { response throws(GatewayError) in
            do throws(GatewayError) {
                _ = try response.portOneV2Answer()
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
    }
}
