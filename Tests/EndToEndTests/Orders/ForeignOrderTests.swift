import OutboundHTTP
import TestSupport
import Testing

/// Orders in other currencies than won, paid at PortOne, and what is given back of them.
@Suite(.timeLimit(.minutes(20))) struct ForeignOrderTests {
    @Test(arguments: Version.allCases)
    func `an order in dollars is paid in dollars, credited at their rate, and taken back in dollars`(
        _ version: Version
    ) async throws {
        try await House.openNotified { house, gateway, service in
            let early = try await service.order("coins_100", in: "USD", at: version)
            #expect(early.status == 422 && early.code == "no_price_in_currency" && early.isProblem, "\(early)")
            #expect(early.json["pointer"] == "/currency")
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            try await eventually("apps see the price") {
                let shown = try await service.get("/v1/products").json["products"].elements
                let prices = shown.first { $0["code"] == "coins_100" }?["prices"].elements ?? []
                return prices.map { $0["price"] } == [300] && prices.map { $0["currency"] } == ["USD"]
            }

            let order = try await service.order("coins_100", in: "USD", at: version)
            #expect(order.status == 201, "\(order)")
            #expect(order.json["amount"] == 300 && order.json["currency"] == "USD" && order.json["coins"] == 100)
            let name = try #require(order.json["merchant_uid"].text)
            // The gateway knows amount and currency.
            #expect(try await gateway.attempt(name, 3, version).status == 409)
            #expect(try await gateway.attempt(name, 300, version).status == 409)
            let payment = try await gateway.pay(name, "3.00", "USD", version)
            try await eventually("it is credited") { try await service.coins() == 100 }

            func shown() async throws -> JSON {
                try await service.get("/v1/me/purchases", as: Token.user("ann")).json["purchases"].elements[0]
            }
            let purchase = try await shown()
            #expect(purchase["amount"] == 4162 && purchase["currency"] == "KRW", "\(purchase)")
            #expect(purchase["foreign"]["amount"] == 300 && purchase["foreign"]["currency"] == "USD", "\(purchase)")
            let again = try await service.present(payment, at: version)
            #expect(again.status == 200, "\(again)")
            let refund = try await service.post(
                "/v1/purchases/\(try #require(purchase["id"].integer))/refunds",
                #"{"reason": "she asked", "method": "bank_transfer"}"#, key: "r", as: Token.refunds())
            #expect(refund.status == 409 && refund.code == "refund_in_foreign_currency", "\(refund)")

            try await gateway.cancel(payment, "1.00")
            try await eventually("a third is taken back") { try await service.coins() == 67 }
            #expect(try await shown()["refunded_amount"] == 1387)
            #expect(try await shown()["foreign"]["refunded_amount"] == 100)
            try await gateway.change(payment, to: "cancelled")
            try await eventually("the rest is taken back") { try await service.coins() == 0 }
            #expect(try await shown()["status"] == "refunded")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0, "\(owed)")
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    /// On the day before that of the first rate.
    private static let beforeRates = #", "started_at": 1767495600, "paid_at": 1767495600"#

    @Test(arguments: Version.allCases)
    func `an order that was paid before its currency had a rate is credited when one is published`(
        _ version: Version
    ) async throws {
        try await House.openNotified { house, gateway, service in
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            let order = try await service.order("coins_100", in: "USD", at: version)
            let name = try #require(order.json["merchant_uid"].text, "\(order)")
            let payment = try await gateway.pay(name, "3.00", "USD", version, Self.beforeRates)
            // No app presents it.
            try await eventually("it is a finding") {
                try await service.findings().map { $0["kind"] } == ["price_not_bookable"]
            }
            try await eventually("support sees that it waits") {
                let shown = try await service.get("/v1/users/ann/receipts", as: Token.support())
                return shown.json["receipts"].elements.map { $0["reason"] } == ["price_not_bookable"]
            }
            #expect(try await service.coins() == 0)

            try await service.publish("1390.00", for: "2026-01-03")
            try await eventually("it is credited") { try await service.coins() == 100 }
            try await eventually("nothing is left to do") { try await service.findings().isEmpty }
            #expect(try await service.present(payment, at: version).purchase["amount"] == 4170)
            try await house.expectSound()
        }
    }

    @Test func `nothing is ordered at a price that is worth no won by now`() async throws {
        try await House.openBoth { house, _, service in
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            #expect(try await service.order("coins_100", in: "USD").status == 201)
            try await service.publish("0.0001", for: "2026-01-06")
            let refused = try await service.order("coins_100", in: "USD")
            #expect(refused.status == 422 && refused.code == "no_price_in_currency", "\(refused)")
            #expect(refused.json["detail"].text?.contains("last rate") == true, "\(refused)")
            #expect(try await service.order("coins_100", in: "KRW").status == 201)
        }
    }

    /// Of the currencies that PortOne takes, one has no decimals.
    @Test(
        arguments: [
            ("JPY", "9.5", 120, "120", 1140), ("EUR", "1512.33", 89, "0.89", 1346), ("CNY", "191.2", 650, "6.50", 1243),
        ] as [(String, String, Int, String, Int64)])
    func `an amount is the same at both of PortOne's interfaces`(
        currency: String, rate: String, price: Int, paid: String, won: Int64
    ) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.publish(rate, of: currency)
            try await house.books.sell("coins_100", for: price, currency)
            for version in Version.allCases {
                let order = try await service.order("coins_100", in: currency, at: version)
                let name = try #require(order.json["merchant_uid"].text, "\(order)")
                let payment = try await gateway.pay(name, paid, currency, version)
                let credited = try await service.present(payment, at: version)
                #expect(credited.status == 201 && credited.purchase["amount"].integer == won, "\(credited)")
                #expect(credited.purchase["foreign"]["amount"].integer == Int64(price), "\(credited)")
            }
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `another currency, another amount, or no order buys nothing`(_ version: Version) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            var names: [String] = []
            for _ in 0..<2 {
                let order = try await service.order("coins_100", in: "USD", at: version)
                names.append(try #require(order.json["merchant_uid"].text, "\(order)"))
            }
            let inWon = try #require(try await service.order("coins_100", at: version).json["merchant_uid"].text)
            // The gateway has forgotten what was registered: the verdict does not rely on it.
            await gateway.end()
            let back = try await house.startGateway(port: gateway.port)
            let wrong: [(name: String, paid: String, currency: String, code: String)] = [
                (names[0], "300", "KRW", "currency_mismatch"), (names[1], "2.99", "USD", "amount_mismatch"),
                (inWon, "1000.00", "USD", "currency_mismatch"),
                (Payment.unmade().merchantUID, "3.00", "USD", "currency_mismatch"),
            ]
            for (name, paid, currency, code) in wrong {
                let payment = try await back.pay(name, paid, currency, version)
                let answer = try await service.present(payment, at: version)
                #expect(answer.status == 422 && answer.code == code, "\(name): \(answer)")
                if code == "amount_mismatch" {
                    #expect(answer.json["expected_amount"] == 300 && answer.json["paid_amount"] == 299, "\(answer)")
                }
            }
            #expect(try await service.findings().count == wrong.count)
            #expect(try await service.coins() == 0)
            try await house.expectSound()
        }
    }

    @Test func `prices are set, shown and ended at a terminal and in the console`() async throws {
        try await ConsoleHouse.open { console in
            let house = console.house
            func run(_ arguments: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let child = try house.start(
                    ["products"] + arguments, ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            let early = try await run("price", "set", "coins_100", "USD", "0.99")
            #expect(early.exit == .code(1) && early.errors.contains("no rate of this currency"), "\(early)")
            try await console.service.publish("1387.40")
            let wrong = try await run("price", "set", "coins_100", "USD", "0.999")
            #expect(wrong.exit == .code(64) && wrong.errors.contains("above 0 in USD"), "\(wrong)")
            let set = try await run("price", "set", "coins_100", "USD", "0.99")
            #expect(set.output == "on sale: coins_100, 0.99 USD\n", "\(set)")
            let recorded = "SELECT DISTINCT target FROM audit WHERE act = 'set-price' AND subject LIKE 'terminal:%'"
            #expect(try await house.books.texts(recorded) == ["product:coins_100"])
            let listed = try await run()
            #expect(listed.output.contains(/coins_100 +0.99 +USD/), "\(listed)")
            let silent = try await run("change", "coins_100", "--coins", "120")
            #expect(silent.exit == .code(1) && silent.errors.contains("prices in other currencies"), "\(silent)")
            let kept = try await run("change", "coins_100", "--coins", "120", "--keep-prices")
            #expect(kept.output.contains("120 coins"), "\(kept)")

            let browser = try await console.browser(as: "administrator-1")
            let page = try await browser.open("/console/products")
            #expect(page.text.contains("Prices in other currencies") && page.text.contains("USD 0.99"), "\(page)")
            let changed = [
                ("code", "coins_100"), ("title", "Coins"), ("price", "1,000"), ("coins", "131"), ("bonus", "0"),
            ]
            let unsaid = try await browser.submit("/console/products/change", changed)
            #expect(unsaid.status == 400 || unsaid.status == 422, "\(unsaid)")
            try await browser.open("/console/products")
            let said = try await browser.submit("/console/products/change", changed + [("keep_prices", "yes")])
            #expect(said.text.contains("131") && said.text.contains("USD 0.99"), "\(said)")
            let named = [("code", "coins_100"), ("currency", "USD")]
            let replaced = try await browser.submit("/console/products/price", named + [("price", "1.09")])
            #expect(replaced.text.contains("USD 1.09") && !replaced.text.contains("USD 0.99"), "\(replaced)")
            let later = [("price", "1.19"), ("from", "2099-01-01T09:00")]
            let planned = try await browser.submit("/console/products/price", named + later)
            #expect(planned.text.contains("The sale is planned") && planned.text.contains("USD 1.19"), "\(planned)")
            let withdrawn = try await browser.submit("/console/products/price-withdraw", named)
            #expect(!withdrawn.text.contains("USD 1.19") && withdrawn.text.contains("USD 1.09"), "\(withdrawn)")
            let ended = try await browser.submit("/console/products/price-end", named)
            #expect(ended.text.contains("has ended") && !ended.text.contains("USD 1.09"), "\(ended)")
            let finance = try await console.browser(as: "finance-1")
            #expect(try await !finance.open("/console/products").text.contains("/console/products/price"))
        }
    }

    @Test func `a key names one order in one currency, and a currency is a code`() async throws {
        try await House.openBoth { house, _, service in
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            let first = try await service.order("coins_100", in: "USD", key: "k")
            #expect(first.status == 201, "\(first)")
            let again = try await service.order("coins_100", in: "USD", key: "k")
            #expect(again.status == 201 && again.json["id"] == first.json["id"], "\(again)")
            for body in [#"{"product": "coins_100"}"#, #"{"product": "coins_100", "currency": "KRW"}"#] {
                let other = try await service.order(body: body, key: "k")
                #expect(other.code == "idempotency_key_reused", "\(other)")
                #expect(try await service.order(body: body).json["currency"] == "KRW")
            }
            for code in ["usd", "XYZ", "COIN", ""] {
                let answer = try await service.order("coins_100", in: code)
                #expect(answer.code == (code.isEmpty ? "missing_member" : "invalid_request"), "\(code): \(answer)")
            }
        }
    }
}

extension Service {
    func order(
        _ product: String, in currency: String, at version: Version? = nil, key: String? = nil
    ) async throws -> Answer {
        let gateway = version.map { #", "gateway": "\#($0.gateway)""# } ?? ""
        return try await order(
            body: #"{"product": "\#(product)", "currency": "\#(currency)"\#(gateway)}"#, key: key)
    }
}

extension Gateway {
    /// Pays an order in a currency.
    ///
    /// - Parameter amount: in the currency's unit.
    func pay(
        _ order: String, _ amount: String, _ currency: String, _ version: Version, _ members: String = ""
    ) async throws -> Payment {
        try await pay(
            amount, #", "version": "\#(version.rawValue)", "currency": "\#(currency)""# + members,
            as: Payment(impUID: Payment.unmade().impUID, merchantUID: order))
    }

    /// Cancels a part of a payment, as a person does in the gateway's console.
    func cancel(_ payment: Payment, _ amount: String) async throws {
        let body = #"{"status": "cancelled", "cancel_amount": \#(amount)}"#
        let answer = Answer(
            try await transport.send(
                HTTPRequest(
                    .patch, HTTPURL(url + "/sandbox/payments/\(payment.impUID)"),
                    headers: [("Content-Type", "application/json")], body: Array(body.utf8),
                    totalTimeout: Patience.hang)))
        #expect(answer.status == 200, "\(answer)")
    }
}

extension Books {
    /// Sells a product at a price in another currency.
    func sell(_ product: String, for price: Int, _ currency: String) async throws {
        try await execute(
            "INSERT INTO product_price (product, currency, amount) VALUES ('\(product)', '\(currency)', \(price))")
    }
}
