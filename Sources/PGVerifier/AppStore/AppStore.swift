import OutboundHTTP

/// Apple's App Store: in-app purchases of an app.
package struct AppStore: PaymentGateway {
    /// The name of the gateway in payment records.
    package static let name = "app-store"

    package func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.invalidRequest, message: "")
    }
}
