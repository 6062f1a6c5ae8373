import Hummingbird

/// What the coin shop sells, for everybody.
struct ProductsController: Sendable {
    let window: ShopWindow

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("products", use: list)
    }

    /// `GET /v1/products`: what is on sale, cheapest first, as it was within the last second.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await window.view().response
    }
}
