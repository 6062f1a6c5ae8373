import Foundation

extension ReceiptRequest {
    /// Whether both are receipts of one payment.
    func isOfSamePayment(as other: ReceiptRequest) -> Bool {
        if self == other { return true }
        guard let transaction = signedTransactionID else { return false }
        return transaction == other.signedTransactionID
    }

    /// The transaction's id as the signed text has it, without a check of the signature: the service checks it.
    private var signedTransactionID: String? {
        struct Transaction: Decodable { let transactionId: String }
        guard let parts = appStore?.signedTransaction?.split(separator: ".", omittingEmptySubsequences: false),
            parts.count == 3
        else { return nil }
        // Base64url has two other characters, and no padding (RFC 7515, section 2).
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text)
            .flatMap { try? JSONDecoder().decode(Transaction.self, from: $0).transactionId }
    }
}
