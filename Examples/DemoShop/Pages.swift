import Foundation
import LedgerClient
import Mustache

/// The page on which anybody signs in as anybody.
enum SignInPage {
    static let template = ShopPage.template(
        """
        <p>Choose a name. The shop signs a token for it, as a real shop does for its users.</p>
        <form class="card" method="post" action="/sign-in">
        <label for="user">Name</label>
        <input id="user" name="user" type="text" value="demo-user" required maxlength="64" autocomplete="username">
        <p><button>Sign in</button></p>
        </form>
        """)
}

/// The products, what coins buy, and the orders that are not paid.
enum HomePage {
    static func values(
        products: [ProductBody], openOrders: [OrderBody], form: String, message: String?
    ) -> [String: Any] {
        var values: [String: Any] = [
            "products": products.map { product in
                [
                    "code": product.code, "title": product.title, "price": Text.money(product.price, product.currency),
                    "bonus": product.bonusCoins == 0 ? [] : ["\(product.bonusCoins)"],
                ] as [String: Any]
            },
            "songs": Shop.songs.map { ["id": $0.id, "title": $0.title, "coins": "\($0.coins)"] }, "form": form,
            "orders": openOrders.map { order in
                [
                    "path": OrderPage.path(order.id), "coins": "\(order.coins)",
                    "price": Text.money(order.amount, order.currency), "time": Text.time(order.createdAt),
                ]
            },
            "hasOrders": !openOrders.isEmpty,
        ]
        values["message"] = message
        return values
    }

    static let template = ShopPage.template(
        """
        {{#message}}<p class="message" role="status">{{message}}</p>{{/message}}
        <form method="post" action="/orders">
        <ul class="cards">
        {{#products}}<li><span><b>{{title}}</b>{{#bonus}}<span class="quiet">+ {{.}} bonus coins</span>{{/bonus}}</span>
        <button name="product" value="{{code}}" aria-label="Buy {{title}} for {{price}}">{{price}}</button></li>
        {{/products}}
        </ul>
        <fieldset>
        <legend class="quiet">Payment gateway</legend>
        <label><input type="radio" name="gateway" value="portone-v1" checked> PortOne V1</label>
        <label><input type="radio" name="gateway" value="portone-v2"> PortOne V2</label>
        </fieldset>
        </form>
        <h2>Spend coins</h2>
        <ul class="cards">
        {{#songs}}<li><b>{{title}}</b>
        <form method="post" action="/songs"><input type="hidden" name="form" value="{{form}}-{{id}}">
        <button class="plain" name="song" value="{{id}}" aria-label="Buy {{title}} for {{coins}} coins">{{coins}}
        coins</button></form></li>
        {{/songs}}
        </ul>
        {{#hasOrders}}
        <h2>Not paid yet</h2>
        <ul class="cards">
        {{#orders}}<li><span><b>{{coins}} coins, {{price}}</b><span class="quiet">{{time}}</span></span>
        <a href="{{path}}" aria-label="Order of {{coins}} coins, {{time}}">Show the order</a></li>
        {{/orders}}
        </ul>
        {{/hasOrders}}
        """)
}

/// An order: paid, failed, or waiting for a payment.
enum OrderPage {
    /// What the payment window said, if it was just closed.
    enum State {
        case unpaid
        case failed(_ message: String)
        /// The gateway has the payment, but not the money.
        case waiting(_ detail: String)
    }

    static func path(_ id: Int64) -> String { "/orders/\(id)" }

    static func values(
        _ order: OrderBody, _ state: State, payAgain: String, transfers: String, address: String, isStopped: Bool
    ) -> [String: Any] {
        var values: [String: Any] = [
            "id": order.merchantUID, "coins": "\(order.coins)", "price": Text.money(order.amount, order.currency),
            "status": order.status, "time": Text.time(order.createdAt), "expires": Text.time(order.expiresAt),
            "bonus": order.bonusCoins == 0 ? [] : ["\(order.bonusCoins)"],
        ]
        switch state {
        case _ where order.status == "paid": values["paid"] = true
        case .waiting(let detail):
            let stop = isStopped ? [] : [["stop": address + "&refresh=no"]]
            values["waiting"] = ["detail": detail, "transfers": transfers, "again": address, "stop": stop]
        case .failed(let message): values["failed"] = ["message": message, "pay": payAgain]
        case .unpaid where order.status == "open": values["unpaid"] = ["pay": payAgain]
        case .unpaid: break
        }
        return values
    }

    static let template = ShopPage.template(
        """
        {{#paid}}<p class="message" role="status">Paid: {{coins}} coins{{#bonus}} and {{.}} bonus coins{{/bonus}} have
        arrived.</p>{{/paid}}
        {{#failed}}<div class="message bad" role="alert"><p>Not paid: {{message}}</p>
        <p><a class="button" href="{{pay}}">Pay again</a></p></div>{{/failed}}
        {{#waiting}}<div class="message" role="status"><p>Waiting for your transfer. The coins arrive as soon as the
        gateway has the money, even if you close this page.</p>
        <p class="quiet">ledgerd says: {{detail}}</p>
        <p><a href="{{transfers}}">Make the transfer at the sandbox gateway</a><br>
        <a href="{{again}}">Check now</a>{{#stop}}<br><a href="{{stop}}">Stop checking every 3 seconds</a>{{/stop}}</p>
        </div>{{/waiting}}
        {{#unpaid}}<p class="message">This order is not paid. <a class="button" href="{{pay}}">Pay</a></p>{{/unpaid}}
        <dl class="card">
        <dt>Coins</dt><dd>{{coins}}{{#bonus}} + {{.}} bonus{{/bonus}}</dd>
        <dt>Price</dt><dd>{{price}}</dd>
        <dt>Status</dt><dd>{{status}}</dd>
        <dt>Ordered</dt><dd>{{time}}</dd>
        <dt>Pay before</dt><dd>{{expires}}</dd>
        <dt>Payment id</dt><dd>{{id}}</dd>
        </dl>
        <p><a href="/">Back to the shop</a></p>
        """)
}

/// The user's statement.
enum HistoryPage {
    static func values(_ entries: ListBody<StatementEntryBody>) -> [String: Any] {
        var values: [String: Any] = [
            "entries": entries.items.map { entry in
                [
                    "time": Text.time(entry.effectiveAt), "act": Text.act(entry), "balance": "\(entry.balance)",
                    "coins": entry.coins > 0 ? "+\(entry.coins)" : "\(entry.coins)",
                ]
            }, "isEmpty": entries.items.isEmpty,
        ]
        values["next"] = entries.nextCursor
        return values
    }

    static let template = ShopPage.template(
        """
        {{#isEmpty}}<p>Nothing has happened yet.</p>{{/isEmpty}}
        {{^isEmpty}}<table>
        <thead><tr><th scope="col">What</th><th scope="col" class="number">Coins</th>
        <th scope="col" class="number">Balance</th></tr></thead>
        <tbody>
        {{#entries}}<tr><td>{{act}}<br><span class="quiet">{{time}}</span></td><td class="number">{{coins}}</td>
        <td class="number">{{balance}}</td></tr>
        {{/entries}}
        </tbody>
        </table>{{/isEmpty}}
        {{#next}}<p><a href="/history?cursor={{next}}">Older</a></p>{{/next}}
        <p><a href="/">Back to the shop</a></p>
        """)
}

/// A refusal.
enum ProblemPage {
    static let template = ShopPage.template(
        """
        <p class="message bad" role="alert">{{detail}}</p>
        <p><a href="/">Back to the shop</a></p>
        <form method="post" action="/sign-out"><button class="plain">Sign in as somebody else</button></form>
        """)
}

/// Texts for people.
enum Text {
    /// An amount in minor units, with its currency: `₩1,000`, `US$14.20`.
    static func money(_ amount: Int64, _ currency: String) -> String {
        // Others that people may put on sale here have two.
        let digits = ["KRW", "JPY"].contains(currency) ? 0 : 2
        let value = Decimal(sign: .plus, exponent: -digits, significand: Decimal(amount))
        return value.formatted(
            .currency(code: currency).precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
    }

    /// A time in the server's zone, to the minute.
    static func time(_ date: Date) -> String {
        date.formatted(.dateTime.year().month(.abbreviated).day().hour().minute().locale(Locale(identifier: "en_GB")))
    }

    /// What an act was, in words.
    static func act(_ entry: StatementEntryBody) -> String {
        // From the kinds of entries, by a test.
        let names = [
            "purchase": "Bought coins",
            "grant": "Bonus",
            "claw_back": "Payment cancelled",
            "debt_payment": "Debt paid",
            "spend": "Spent",
            "hold": "Reserved",
            "capture": "Charged",
            "void": "Released",
            "expiry": "Expired",
            "refund_hold": "Refund begun",
            "refund_release": "Refund refused",
            "refund": "Refunded",
            "spend_reversal": "Spending undone",
            "capture_reversal": "Charge undone",
            "refund_reversal": "Refund undone",
            "debt_bank_payment": "Debt paid",
            "debt_write_off": "Debt written off",
            "dispute_hold": "Frozen for a dispute",
            "dispute_release": "Released after a dispute",
            "expiry_reversal": "Expiry undone",
            "debt_write_off_reversal": "Write-off undone",
            "claw_back_reversal": "Cancellation undone",
            "grant_void": "Bonus taken back",
            "gift_sent": "Gift sent",
            "gift_received": "Gift received",
            "gift_taken_back": "Gift taken back: its payment was refunded",
            "gift_returned": "Gift returned for a refund",
            "merge": "Accounts merged",
        ]
        let name = names[entry.kind] ?? entry.kind
        return entry.reason.map { "\(name): \($0)" } ?? name
    }
}
