package import OutboundHTTP
import Timing

extension GooglePlayConfiguration {
    /// Asks for an access token, and with it for a voided purchase: the list needs all permissions that the service needs, and
    /// the app's package must be right.
    package func probe(over transport: any HTTPTransport) async -> GatewayProbe {
        let now = Time.current
        var token: AccessToken?
        // Without a token the gateway says that it does not accept the request.
        if let request = try? await account.tokenRequest(at: now.now, limits) {
            let probe = await GatewayProbe.send(request, over: transport) { response throws(GatewayError) in
                token = try AccessToken(google: response, sent: now.instant)
            }
            if probe.failure != nil { return probe }
        }
        let call = GatewayCall(
            path: ["androidpublisher", "v3", "applications", packageName, "purchases", "voidedpurchases"],
            query: [("maxResults", "1")])
        let request = call.request(to: url, authorization: "Bearer " + (token?.text ?? ""), limits)
        return await .send(request, over: transport) { response throws(GatewayError) in
            _ = try response.googlePlayAnswer()
        }
    }
}
