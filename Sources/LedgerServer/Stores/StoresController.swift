import Hummingbird
import Ledger
import LedgerWire
import WireFormats

/// Products of stores, and the tokens by which purchases there name users.
struct StoresController: Sendable {
    let stores: Stores

    /// `GET /v1/store-products`: by store, app and id.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: StoreProductsBody(storeProducts: try await stores.products().map { StoreProductBody($0) }))
    }

    /// `PUT /v1/store-products/{store}/{app}/{product_id}`: a repeat changes nothing.
    func set(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let store = try Self.name("store", in: context)
        guard StoreProductName.stores.contains(store) else {
            throw Problem.invalid(
                member: "store", "store must be one of \(StoreProductName.stores.joined(separator: ", "))")
        }
        let name = StoreProductName(
            store: store, app: try Self.name("app", in: context), productID: try Self.name("product_id", in: context))
        let product = try await request.decode(as: StoreProductRequestBody.self, context: context).product.value
        guard let set = try await stores.set(name, to: product, by: try context.requirePrincipal().subject) else {
            throw Problem(.productNotFound, "there was never a product \(product)")
        }
        return try Response(json: StoreProductBody(set))
    }

    /// `GET /v1/me/store-account`: the first call makes the token.
    func account(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let token = try await stores.token(of: try context.requireUser()).uuidString.lowercased()
        return try Response(json: StoreAccountBody(appAccountToken: token, obfuscatedAccountID: token))
    }

    private static func name(_ part: String, in context: LedgerdRequestContext) throws -> String {
        guard let text = context.parameters.get(part).flatMap({ FormText.decodePath($0) }) else {
            throw Problem.invalid(member: part, "\(part) must be percent-encoded")
        }
        if let fault = NonEmpty.fault(of: text) { throw Problem.invalid(member: part, "\(part) \(fault)") }
        return text
    }
}

/// The request of a store's product.
struct StoreProductRequestBody: Decodable {
    let product: NonEmpty

    typealias CodingKeys = StoreProductRequest.CodingKeys
}

extension StoreProductBody {
    init(_ product: StoreProduct) {
        self.init(
            store: product.store, app: product.app, productID: product.productID, product: product.product,
            setBy: product.setBy, setAt: product.setAt)
    }
}
