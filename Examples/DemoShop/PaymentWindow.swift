import Foundation
import LedgerClient
import WireFormats

/// The gateway's payment window, and the result that it adds to the address of the shop's page.
///
/// A real shop's page opens the window with PortOne's script; the sandbox's window is a page of its own.
struct PaymentWindow: Sendable {
    let gateway: String
    let shop: String

    /// The address of the window for an order; it returns to the order's page.
    func address(for order: OrderBody, title: String) -> String {
        let parameters = [
            ("paymentId", order.merchantUID), ("totalAmount", "\(order.amount)"), ("currency", order.currency),
            ("orderName", title), ("redirectUrl", shop + OrderPage.path(order.id)),
            ("version", order.gateway == "portone-v2" ? "V2" : "V1"),
        ]
        return gateway + "/checkout?" + parameters.map { "\($0)=\(FormText.encode($1))" }.joined(separator: "&")
    }

    /// Where the buyer of an unpaid virtual account makes the transfer: the sandbox's list of payments.
    var transfers: String { gateway + "/" }

    /// The window's result; nil: the page was not opened by the window.
    static func result(_ query: [String: String]) -> Result? {
        if query["imp_success"] == "false" || query["code"] != nil {
            return .failed(query["error_msg"] ?? query["message"] ?? "The payment failed.")
        }
        if let impUID = query["imp_uid"], let merchantUID = query["merchant_uid"] {
            return .receipt(.v1(impUID: impUID, merchantUID: merchantUID))
        }
        return query["paymentId"].map { .receipt(.v2(paymentID: $0)) }
    }

    enum Result {
        /// Proves nothing: ledgerd asks the gateway.
        case receipt(ReceiptRequest)
        case failed(_ message: String)
    }
}
