import LedgerWire

extension StoreController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listStoreItems", "/v1/store/item/list", .appUser, .olderApps,
                "List the products on sale, for older apps",
                answers: [
                    .json(200, .list(StoreItemBody.self), "The products, cheapest first."),
                    .json(400, .named("StoreError"), "`E01`, `E02`, `E03`, `E05`, `E97`."),
                    .json(500, .named("StoreError"), "`E99`."),
                ],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.items },
        Route(
            .write(
                "validateStorePayment", .post, "/v1/store/pay/validation", .appUser, .olderApps,
                "Present a receipt, for older apps",
                "Does the same as `POST /v1/receipts`, in the format of the older apps.",
                body: .init(
                    media: [
                        .init(
                            type: "application/json", schema: .type(StoreReceiptBody.self),
                            examples: [
                                .init(
                                    "json", "JSON",
                                    ["imp_uid": "imp_448280090638", "merchant_uid": "ios_key_1709256000"])
                            ]),
                        .init(
                            type: "application/x-www-form-urlencoded", schema: .type(StoreReceiptBody.self),
                            examples: [
                                .init(
                                    "form", "form",
                                    ["imp_uid": "imp_448280090638", "merchant_uid": "ios_key_1709256000"])
                            ]),
                    ]),
                answers: [
                    .ok(StorePurchaseBody.self, "The purchase, also for a repeat."),
                    .json(400, .named("StoreError"), "`E01`, `E02`, `E03`, `E05`, `E11`, `E81`, `E82`, `E97`."),
                    .json(429, .named("StoreError"), "`E98`.", headers: [.retryAfter]),
                    .json(500, .named("StoreError"), "`E99`."),
                ],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.validate },
    ]

    static func make(with deps: Deps) throws -> Self? {
        StoreController(desk: deps.receipts, window: deps.window)
    }
}
