import Ledger

/// What people do about receipts that wait for the gateway.
struct ReceiptActs: Sendable {
    let ledger: Ledger

    /// - Throws: `not_found`.
    func find(_ id: Int64) async throws -> StoredReceipt {
        guard let receipt = try await ledger.retries.find(stored: id) else {
            throw Problem(.notFound, "the receipt does not exist")
        }
        return receipt
    }

    /// Lets the service ask the gateway now, and not only when the receipt is due.
    ///
    /// - Returns: nil: it does not wait.
    func retry(_ id: Int64) async throws -> StoredReceipt? {
        _ = try await find(id)
        return try await ledger.retries.askNow(id) ? try await find(id) : nil
    }

    /// Ends the asking for a receipt, with a note on its user that says who did it and why.
    ///
    /// Nothing is credited by it. If the gateway reports the payment as paid later, the receipt waits again.
    ///
    /// - Returns: nil: it does not wait.
    func stop(_ id: Int64, because reason: String, by person: String) async throws -> StoredReceipt? {
        _ = try await find(id)
        let wasWaiting = try await ledger.retries.abandon(
            id,
            noting: { receipt in
                "The gateway is not asked again about receipt \(id) (\(receipt.payment.merchantUID)): \(reason)"
            }, by: person)
        return wasWaiting ? try await find(id) : nil
    }
}
