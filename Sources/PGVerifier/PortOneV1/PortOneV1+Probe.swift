package import OutboundHTTP
import Timing

extension PortOneV1Configuration {
    /// Requests an access token (`POST /users/getToken`).
    ///
    /// While one is valid the gateway returns the same one, so other users of the keys notice nothing.
    package func probe(over transport: any HTTPTransport) async -> GatewayProbe {
        await .send(tokenRequest, over: transport) { response throws(GatewayError) in
            _ = try AccessToken(try response.portOneV1Answer().response, sent: Time.current.instant)
        }
    }
}
