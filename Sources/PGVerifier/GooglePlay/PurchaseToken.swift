import Crypto

/// Google Play's key of one purchase, which the device gets.
///
/// The order's id can be absent, or come later than the purchase; the token is always there.
package struct PurchaseToken: Hashable, Sendable, CustomStringConvertible {
    /// The token as the store writes it.
    package let text: String

    /// The token as the store writes it.
    package var description: String { text }

    /// Reads what a client presented.
    ///
    /// Google promises no form; its examples are of up to 1,950 characters.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        self.text = try text.checkedAsStoreID(of: "purchase_token", longest: 2000, allowsDots: true)
    }
}

/// The id of an order in Google Play, such as `GPA.3345-1234-5678-90123`, which customers see in their mails.
package struct GooglePlayOrderID: Hashable, Sendable, CustomStringConvertible {
    /// The id as the store writes it.
    package let text: String

    /// The id as the store writes it.
    package var description: String { text }

    /// Reads what a person typed, or a notification brought.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        self.text = try text.checkedAsStoreID(of: "order_id", allowsDots: true)
    }
}

extension PurchaseToken {
    /// Takes the place of the shop's order, of which the store has none: derived, and short.
    ///
    /// The books index it beside the token and the user's id, and an entry of an index has at most 2,704 bytes.
    fileprivate var orderName: String {
        GooglePlay.name + ":" + text.sha256
    }
}

extension String {
    /// The hash in hexadecimal digits: a name of fixed length.
    var sha256: String {
        SHA256.hash(data: Array(utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Receipt {
    /// A receipt of Google Play: the token, which is all that the device has.
    package static func googlePlay(_ token: PurchaseToken) -> Receipt {
        Receipt(gatewayName: GooglePlay.name, paymentID: token.text, merchantUID: token.orderName)
    }

    /// The token.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if the receipt belongs to another gateway.
    var purchaseToken: PurchaseToken {
        get throws(GatewayError) {
            guard gatewayName == GooglePlay.name, let token = paymentID.flatMap({ try? PurchaseToken($0) }) else {
                throw GatewayError(.invalidRequest, message: "the receipt is not one of Google Play")
            }
            return token
        }
    }
}

extension GooglePlay {
    /// The receipt of a recorded payment: the merchant's id follows from the token.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package static func receipt(
        paymentID: String, merchantUID: String
    ) throws(MalformedIdentifier) -> Receipt {
        .googlePlay(try PurchaseToken(paymentID))
    }
}
