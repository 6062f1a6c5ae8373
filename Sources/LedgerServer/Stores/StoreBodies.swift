import Foundation
import Hummingbird
import Ledger
import PGVerifier

/// A product in the format of the coin-shop apps: both members are strings.
struct StoreItemBody: Encodable {
    let item: String
    let amount: String

    init(_ product: Product) {
        item = product.title
        amount = String(product.price.amount)
    }
}

/// A purchase in the format of the coin-shop apps.
///
/// The mixed names, such as `billing_id` and `sesacCoin`, must stay: one app decodes exactly these names, another one
/// converts them from snake case.
struct StorePurchaseBody: Encodable {
    let billingID: Int64
    let merchantUID: String
    let amount: Int64
    let sesacCoin: Int64
    let success = true
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case billingID = "billing_id"
        case merchantUID = "merchant_uid"
        case amount, sesacCoin, success, createdAt
    }

    init(_ purchase: Purchase) {
        billingID = purchase.id
        merchantUID = purchase.payment.merchantUID
        amount = purchase.amount
        sesacCoin = purchase.coins + purchase.bonusCoins
        createdAt = purchase.creditedAt
    }
}

/// The receipt of a coin-shop app, as JSON or as a form.
struct StoreReceiptBody: Decodable {
    private let impUID: NonEmpty
    private let merchantUID: NonEmpty

    enum CodingKeys: String, CodingKey {
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
    }

    /// The receipt, if its members are valid ids.
    var receipt: Receipt {
        get throws(Problem) {
            do throws(MalformedIdentifier) {
                return .v1(impUID: try ImpUID(impUID.value), merchantUID: try MerchantUID(merchantUID.value))
            } catch {
                throw Problem(error)
            }
        }
    }

    /// Reads a body as JSON, or as a form if the content type says so.
    static func read(_ request: Request) async throws -> StoreReceiptBody {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else {
            return try json(try await JSONBody.read(request))
        }
        return try form(try await request.body.collect(upTo: LedgerdRequestContext.maxBodySize))
    }

    /// Reads JSON and ignores unknown members, unlike the other APIs, because the apps can't be changed.
    private static func json(_ buffer: ByteBuffer) throws(Problem) -> StoreReceiptBody {
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw Problem(.malformedJSON, "the body is not UTF-8")
        }
        do {
            return try JSONDecoder().decode(StoreReceiptBody.self, from: Data(text.utf8))
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.invalidRequest, "the body is not a JSON receipt")
        }
    }

    private static func form(_ buffer: ByteBuffer) throws(Problem) -> StoreReceiptBody {
        do {
            let body = try URLEncodedFormDecoder().decode(StoreReceiptBody.self, from: String(buffer: buffer))
            // U+FFFD replaces bytes that are not UTF-8.
            if !body.merchantUID.value.unicodeScalars.contains("\u{FFFD}") { return body }
        } catch let problem as Problem {
            throw problem
        } catch {
            // All other errors mean that the body is not such a form.
        }
        throw Problem(.invalidRequest, "the body is not a form with a receipt")
    }
}
