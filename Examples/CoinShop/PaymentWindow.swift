import Foundation
import LedgerClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Simulates the gateway's payment window: the sandbox gateway accepts every payment.
struct PaymentWindow {
    let url: URL

    private struct Payment: Encodable {
        let merchantUID: String
        let amount: Int64

        enum CodingKeys: String, CodingKey {
            case merchantUID = "merchant_uid"
            case amount
        }
    }

    /// Pays an order, and returns the receipt that the window hands to the app.
    func pay(_ order: OrderBody) async throws -> ReceiptRequest {
        var request = URLRequest(url: url.appendingPathComponent("sandbox/payments"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(Payment(merchantUID: order.merchantUID, amount: order.amount))
        let (body, _) = try await URLSession.shared.data(for: request)
        let paid = try JSONDecoder().decode(ReceiptRequest.self, from: body)
        guard let impUID = paid.impUID else {
            throw Failure("unexpected response of the payment window: \(String(decoding: body, as: UTF8.self))")
        }
        return .v1(impUID: impUID, merchantUID: order.merchantUID)
    }
}
