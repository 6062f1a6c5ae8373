import Hummingbird
import Ledger

/// The API of older coin-shop apps: another wire format for the same receipts.
struct StoreController: Sendable {
    let desk: ReceiptDesk
    let window: ShopWindow

    private static let prefix = "/v1/store"

    /// Whether a path, known or not, belongs to this API.
    static func isBelowPrefix(_ path: String) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }

    /// `GET /v1/store/item/list`: the products on sale, cheapest first, at most one second old.
    func items(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await window.view().products.map(StoreItemBody.init))
    }

    /// `POST /v1/store/pay/validation`: 200 with the purchase, new or existing.
    ///
    /// The apps support no response for a waiting receipt, so they get an error. The receipt is stored and credited
    /// later nevertheless.
    func validate(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUser()
        let receipt = try await StoreReceiptBody.read(request).receipt
        switch try await desk.present(receipt, by: user) {
        case .credited(let credited, isRepeat: _): return try Response(json: StorePurchaseBody(credited.purchase))
        // No gateway of these apps is a store.
        case .given, .tried: throw Problem(.testPayment)
        case .waiting(.gatewayUnavailable, isKept: _): throw Problem(.gatewayUnavailable)
        case .waiting:
            return try StoreRefusal.invalidPayment.response()
        }
    }
}
