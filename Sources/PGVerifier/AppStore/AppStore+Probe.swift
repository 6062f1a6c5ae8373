package import OutboundHTTP
import Timing

extension AppStoreConfiguration {
    /// Looks up a transaction that does not exist: the store says so only to who has a key of the app.
    ///
    /// Not by a test notification, which is sent, and needs an address. Production refuses the keys of an app that was never
    /// released, so there the sandbox tells whether they are good.
    package func probe(_ environment: AppStoreEnvironment, over transport: any HTTPTransport) async -> GatewayProbe? {
        guard let url = environments[environment] else { return nil }
        // Without a token the gateway says that it does not accept the request.
        let token = (try? await key.token(for: bundleID, at: Time.current.now)) ?? ""
        let call = GatewayCall(path: ["inApps", "v1", "transactions", "0"])
        let request = call.request(to: url, authorization: "Bearer " + token, limits)
        return await .send(request, over: transport) { response throws(GatewayError) in
            do throws(GatewayError) {
                _ = try response.appStoreAnswer(at: Time.current.now)
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
    }
}
