import Hummingbird
import Ledger
import LedgerWire

/// What the coin shop sells, for everybody.
struct ProductsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("products", use: list)
    }

    /// `GET /v1/products`: what is on sale, cheapest first.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let products = try await ledger.shop.products()
        return try Response(json: ProductsBody(products: products.map(ProductBody.init)))
    }
}
