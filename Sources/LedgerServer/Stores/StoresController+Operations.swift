import Ledger
import LedgerWire

extension StoresController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listStoreProducts", "/v1/store-products", .financeRead, .finance,
                "List the products of stores that are products of ours",
                answers: [.ok(StoreProductsBody.self, "The products, by store, app and id.")])
        ) { $0.list },
        Route(
            .write(
                "setStoreProduct", .put, "/v1/store-products/{store}/{app}/{product_id}", .financeWrite, .finance,
                "Say which product of ours a product of a store is",
                """
                It counts for purchases from now on, and for those that wait from before anybody had said it. The price of our \
                product does not matter: who bought in a store has paid the store's. No key is needed: a repeat changes nothing.
                """,
                parameters: [
                    .path("store", .choice(StoreProductName.stores), "the store", example: "app-store"),
                    .path(
                        "app", .plain(1...NonEmpty.maxLength), "the bundle id or package of the app, percent-encoded",
                        example: "com.example.coins"),
                    .path(
                        "product_id", .plain(1...NonEmpty.maxLength), "the store's id of the product, percent-encoded",
                        example: "com.example.coins.100"),
                ],
                body: .json(StoreProductRequestBody.self, .init("request", ["product": "coins_100"])),
                answers: [.ok(StoreProductBody.self, "What the product is from now on.")],
                refusals: [.productNotFound])
        ) { $0.set },
        Route(
            .read(
                "getMyStoreAccount", "/v1/me/store-account", .user, .me,
                "Get what the app passes with the caller's purchases in stores",
                "A random UUID. A purchase with it names the user, also if another user presents it. The first call makes it.",
                answers: [.ok(StoreAccountBody.self, "The same at each call.")])
        ) { $0.account },
    ]

    static func make(with deps: Deps) throws -> Self? {
        StoresController(stores: deps.ledger.stores)
    }
}
