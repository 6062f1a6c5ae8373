package import OutboundHTTP

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
