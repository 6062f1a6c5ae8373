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
        let receipt = try await find(id)
        guard receipt.status == .waiting, try await ledger.retries.abandon(id) else { return nil }
        let text = "The gateway is not asked again about receipt \(id) (\(receipt.payment.merchantUID)): \(reason)"
        // One note each time that it began to wait.
        let key = "stop-receipt/\(id)/\(receipt.createdAt.timeIntervalSince1970)"
        _ = try await ledger.notes.add(text, on: receipt.user, key: key, by: person, named: person)
        return try await find(id)
    }
}
