import Foundation
import HTTPTypes
import Hummingbird
import LedgerClient
import WireFormats

/// The shop's pages and forms.
struct ShopRoutes: Sendable {
    let shop: Shop
    let window: PaymentWindow

    func add(to router: Router<BasicRequestContext>) {
        router.get("/", use: home)
        router.get("health") { _, _ in "ok\n" }
        router.post("sign-in", use: signIn)
        router.post("sign-out") { _, _ in Self.seeOther("/", cookie: "\(Self.cookie)=; Path=/; Max-Age=0") }
        router.post("orders", use: order)
        router.get("orders/{id}", use: showOrder)
        router.post("songs", use: buySong)
        router.get("history", use: history)
    }

    // MARK: - Signing in

    private static let cookie = "demo_shop_user"

    /// A real shop keeps a session; here the cookie is the user.
    private func signIn(_ request: Request, _: BasicRequestContext) async throws -> Response {
        let user = try await request.form()["user"] ?? ""
        return Self.seeOther(
            "/", cookie: "\(Self.cookie)=\(FormText.encode(user)); Path=/; HttpOnly; SameSite=Lax; Max-Age=86400")
    }

    private static func user(_ request: Request) -> String? {
        request.cookies[cookie].flatMap { FormText.decodePath($0.value) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - Pages

    private func home(_ request: Request, _: BasicRequestContext) async throws -> Response {
        guard let user = Self.user(request) else {
            return ShopPage(title: "Sign in", user: nil).response(SignInPage.template, [:])
        }
        let client = shop.client(of: user)
        async let products = client.products()
        async let orders = client.orders(status: "open", pageSize: 3).page()
        let page = ShopPage(title: "Coins", user: user, balance: try await client.me.balance(), forms: window.gateway)
        return page.response(
            HomePage.template,
            HomePage.values(
                products: try await products, openOrders: try await orders.items, form: UUID().uuidString,
                message: request.query()["message"]))
    }

    private func order(_ request: Request, _: BasicRequestContext) async throws -> Response {
        guard let user = Self.user(request) else { return Self.seeOther("/") }
        let form = try await request.form()
        let order = try await shop.client(of: user).order(form["product"] ?? "", gateway: form["gateway"])
        return Self.seeOther(window.address(for: order, title: "\(order.coins) coins"))
    }

    /// The order's page; the payment window returns to it with the receipt.
    ///
    /// While the receipt waits (a virtual account that is not paid yet), the page refreshes itself and presents it again.
    private func showOrder(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let user = Self.user(request) else { return Self.seeOther("/") }
        let client = shop.client(of: user)
        let query = request.query()
        let id = try context.parameters.require("id", as: Int64.self)
        var state = OrderPage.State.unpaid
        switch PaymentWindow.result(query) {
        case .receipt(let receipt):
            switch try await client.present(receipt) {
            case .credited: return Self.seeOther(OrderPage.path(id))
            case .waiting(let waiting): state = .waiting(waiting.detail)
            }
        case .failed(let message): state = .failed(message)
        case nil: break
        }
        let order = try await client.order(id)
        let page = ShopPage(title: "Order \(id)", user: user, balance: try await client.me.balance())
        let values = OrderPage.values(
            order, state, payAgain: window.address(for: order, title: "\(order.coins) coins"),
            transfers: window.transfers, address: request.uri.string, isStopped: query["refresh"] == "no")
        var response = page.response(OrderPage.template, values)
        if case .waiting = state, query["refresh"] != "no", let refresh = HTTPField.Name("Refresh") {
            response.headers[refresh] = "3"
        }
        return response
    }

    private func buySong(_ request: Request, _: BasicRequestContext) async throws -> Response {
        guard let user = Self.user(request) else { return Self.seeOther("/") }
        let form = try await request.form()
        guard let song = Shop.songs.first(where: { $0.id == form["song"] }), let number = form["form"] else {
            throw HTTPError(.badRequest)
        }
        let message: String
        do {
            let spent = try await shop.buy(song, for: user, form: number)
            message = "You bought “\(song.title)” for \(spent.spend.coins) coins."
        } catch let error as LedgerClientError where error.code == .insufficientCoins {
            message = "“\(song.title)” costs \(error.required ?? song.coins) coins; you have \(error.available ?? 0)."
        }
        return Self.seeOther("/?message=" + FormText.encode(message))
    }

    private func history(_ request: Request, _: BasicRequestContext) async throws -> Response {
        guard let user = Self.user(request) else { return Self.seeOther("/") }
        let client = shop.client(of: user)
        async let balance = client.me.balance()
        let entries = try await client.me.statement().page(after: request.query()["cursor"])
        return ShopPage(title: "History", user: user, balance: try await balance)
            .response(HistoryPage.template, HistoryPage.values(entries))
    }

    private static func seeOther(_ address: String, cookie: String? = nil) -> Response {
        var headers: HTTPFields = [.location: address, .cacheControl: "no-store"]
        headers[.setCookie] = cookie
        return Response(status: .seeOther, headers: headers)
    }
}

extension Request {
    fileprivate func query() -> [String: String] { Self.values(Array((uri.query ?? "").utf8)) }

    fileprivate func form() async throws -> [String: String] {
        Self.values(Array(buffer: try await body.collect(upTo: 16 << 10)))
    }

    private static func values(_ text: [UInt8]) -> [String: String] {
        let pairs = FormText.decodePairs(text) ?? []
        return Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last }
    }
}
