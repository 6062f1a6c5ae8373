/// The App Store's identifier of one purchase, such as `2000000123456789`.
///
/// The store writes digits and promises only a text. Allowed is what can't change a request path.
package struct TransactionID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the store writes it.
    package let text: String

    /// The identifier as the store writes it.
    package var description: String { text }

    /// Reads what a client presented.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        self.text = try text.checkedAsStoreID(of: "transaction_id")
    }
}

/// The id in the mail that the App Store sends to a customer, such as `MK1234ABCD`.
package struct AppStoreOrderID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as the customer's mail has it.
    package let text: String

    /// The identifier as the customer's mail has it.
    package var description: String { text }

    /// Reads what a person typed.
    ///
    /// - Throws: the rule that is broken.
    package init(_ text: String) throws(MalformedIdentifier) {
        self.text = try text.checkedAsStoreID(of: "order_id")
    }

    /// Whether a text looks like those in mails: an `M`, then eight to eleven capital letters and digits.
    ///
    /// The store promises no form, so this is a guess for people only.
    package static func isLikely(_ text: String) -> Bool {
        text.first == "M" && (9...12).contains(text.utf8.count)
            && text.allSatisfy { ("0"..."9").contains($0) || ("A"..."Z").contains($0) }
    }
}

extension Receipt {
    /// A receipt of the App Store: the transaction, whose id is all that the store has.
    ///
    /// An id alone proves nothing about who bought: it stands in receipts and mails. A client presents what the store has
    /// signed (``AppStoreVerifier/transaction(_:)``).
    package static func appStore(_ id: TransactionID) -> Receipt {
        Receipt(gatewayName: AppStore.name, paymentID: id.text, merchantUID: AppStore.name + ":" + id.text)
    }

    /// The transaction.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` if the receipt belongs to another gateway.
    var transactionID: TransactionID {
        get throws(GatewayError) {
            guard gatewayName == AppStore.name, let id = paymentID.flatMap({ try? TransactionID($0) }) else {
                throw GatewayError(.invalidRequest, message: "the receipt is not one of the App Store")
            }
            return id
        }
    }
}

extension AppStore {
    /// The receipt of a recorded payment: the merchant's id follows from the store's.
    ///
    /// - Throws: the rule that a recorded identifier breaks.
    package static func receipt(
        paymentID: String, merchantUID: String
    ) throws(MalformedIdentifier) -> Receipt {
        .appStore(try TransactionID(paymentID))
    }
}
