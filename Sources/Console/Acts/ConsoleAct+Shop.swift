extension ConsoleAct {
    static let ofProducts = [
        addProduct, changeProduct, retireProduct, withdrawProduct, setPrice, endPrice, withdrawPrice,
    ]

    static let addProduct = ConsoleAct(
        .addProduct, "products/add", right: .sell, Words("product: new", "상품 추가"), done: onSale,
        others: ["planned": planned], fields: product)
    static let changeProduct = ConsoleAct(
        .changeProduct, "products/change", right: .sell, Words("product: change", "상품 변경"), done: onSale,
        others: ["planned": planned], fields: product)
    static let retireProduct = ConsoleAct(
        .retireProduct, "products/retire", right: .sell, Words("product: end of the sale", "상품 판매 종료"),
        done: Words("The sale has ended.", "판매를 종료했습니다."),
        others: ["planned": Words("The end of the sale is planned.", "판매 종료를 예약했습니다.")],
        fields: [.own("code"), .own("at")])
    static let withdrawProduct = ConsoleAct(
        .withdrawProduct, "products/withdraw", right: .sell, Words("product: planned sale withdrawn", "상품 판매 예약 취소"),
        done: Words("The planned sale is withdrawn.", "판매 예약을 취소했습니다."), fields: [.own("code")])

    static let setPrice = ConsoleAct(
        .setPrice, "products/price", right: .sell, Words("product: price in another currency", "상품 외화 가격 설정"),
        done: Words("The price is set.", "외화 가격을 설정했습니다."), others: ["planned": planned],
        fields: priced + [.own("price"), .own("from"), .own("until")])
    static let endPrice = ConsoleAct(
        .endPrice, "products/price-end", right: .sell,
        Words("product: end of the sale in another currency", "상품 외화 판매 종료"),
        done: Words("The sale in this currency has ended.", "이 통화의 판매를 종료했습니다."),
        others: ["planned": Words("The end of the sale is planned.", "판매 종료를 예약했습니다.")],
        fields: priced + [.own("at")])
    static let withdrawPrice = ConsoleAct(
        .withdrawPrice, "products/price-withdraw", right: .sell,
        Words("product: planned price in another currency withdrawn", "상품 외화 가격 예약 취소"),
        done: Words("The planned price is withdrawn.", "가격 예약을 취소했습니다."), fields: priced)

    private static let priced: [ConsoleField] = [.own("code"), .own("currency")]
    private static let onSale = Words("The product is on sale.", "상품을 판매합니다.")
    private static let planned = Words("The sale is planned.", "판매를 예약했습니다.")

    private static let product: [ConsoleField] = [
        .own("code"), .own("title"), .own("price"), .own("coins"), .own("bonus"), .own("coin_days"),
        .own("bonus_coin_days"), .own("vat"), .own("from"), .own("until"), .own("keep_prices"),
    ]
}

extension ConsoleAct {
    static let ofEndpoints = [
        addEndpoint, changeEndpoint, enableEndpoint, disableEndpoint, rotateEndpointSecret, testEndpoint, replayEvents,
        deleteEndpoint,
    ]

    static let addEndpoint = ConsoleAct(
        .addEndpoint, "endpoints", right: .manageEndpoints, Words("endpoint: new", "엔드포인트 추가"),
        fields: endpoint + [.own("from"), .reason])
    static let changeEndpoint = ConsoleAct(
        .changeEndpoint, "endpoints/{id}/change", right: .manageEndpoints, Words("endpoint: change", "엔드포인트 변경"),
        done: Words("The endpoint is changed.", "엔드포인트를 변경했습니다."), fields: endpoint + [.reason])
    static let enableEndpoint = ConsoleAct(
        .enableEndpoint, "endpoints/{id}/enable", right: .manageEndpoints, Words("endpoint: enabled", "엔드포인트 활성화"),
        done: Words("The endpoint is enabled.", "엔드포인트를 활성화했습니다."), fields: [.reason])
    static let disableEndpoint = ConsoleAct(
        .disableEndpoint, "endpoints/{id}/disable", right: .manageEndpoints,
        Words("endpoint: disabled", "엔드포인트 비활성화"), done: Words("The endpoint is disabled.", "엔드포인트를 비활성화했습니다."),
        fields: [.reason])
    static let rotateEndpointSecret = ConsoleAct(
        .rotateEndpointSecret, "endpoints/{id}/rotate-secret", right: .manageEndpoints,
        Words("endpoint: new secret", "엔드포인트 시크릿 교체"), fields: [.reason])
    static let testEndpoint = ConsoleAct(
        .testEndpoint, "endpoints/{id}/test", right: .manageEndpoints, Words("endpoint: test", "엔드포인트 테스트"))
    static let replayEvents = ConsoleAct(
        .replayEvents, "endpoints/{id}/replay", right: .manageEndpoints,
        Words("endpoint: events sent again", "이벤트 재전송"),
        done: Words("The events are being sent again.", "이벤트를 재전송하고 있습니다."),
        fields: [.own("from"), .own("until"), .own("failed"), .reason])
    static let deleteEndpoint = ConsoleAct(
        .deleteEndpoint, "endpoints/{id}/delete", right: .manageEndpoints, Words("endpoint: deleted", "엔드포인트 삭제"),
        done: Words("The endpoint is deleted.", "엔드포인트를 삭제했습니다."), fields: [.reason])

    /// What an endpoint is made of, besides a box for each type of event.
    private static let endpoint: [ConsoleField] = [.own("url"), .own("description"), .own("users")]
}
