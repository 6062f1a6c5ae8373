import LedgerWire

extension ProductsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listProducts", "/v1/products", .anyone, .shop,
                "List the products on sale, cheapest first",
                answers: [.ok(ProductsBody.self, "The products.", headers: [.cacheControl])])
        ) { $0.list }
    ]

    static func make(with deps: Deps) throws -> Self? {
        ProductsController(window: deps.window)
    }
}
