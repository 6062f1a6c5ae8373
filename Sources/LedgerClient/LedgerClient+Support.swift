public import Foundation

// Calls for customer support, who often knows only a name of the payment.
extension LedgerClient {
    /// The purchases of the payment with this id at the gateway; none if it was not credited.
    public func purchases(impUID: String) async throws -> [PurchaseBody] {
        try await purchases(named: ("imp_uid", impUID))
    }

    /// The purchases of the payment with this `merchant_uid`, in V2 the payment id; none if it was not credited.
    public func purchases(merchantUID: String) async throws -> [PurchaseBody] {
        try await purchases(named: ("merchant_uid", merchantUID))
    }

    private func purchases(named name: (String, String)) async throws -> [PurchaseBody] {
        try await send(.get(["purchases"], query: [name]), as: ListBody<PurchaseBody>.self).items
    }

    /// A purchase of any user, with its user and its refunds.
    public func purchase(_ id: Int64) async throws -> PurchaseBody { try await send(.get(["purchases", "\(id)"])) }

    /// A user's orders, newest first.
    ///
    /// - Parameters:
    ///   - from: only orders that were made from this time on.
    ///   - to: only orders that were made before this time.
    ///   - status: only this status: `open`, `paid` or `expired`.
    ///   - pageSize: the page size, 1 to 100.
    public func orders(
        of user: String, from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<OrderBody> {
        listing(["users", user, "orders"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// A user's receipts that could not be decided when they were presented, newest first.
    ///
    /// - Parameters:
    ///   - status: only this status: `waiting`, `credited`, `refused` or `abandoned`.
    ///   - pageSize: the page size, 1 to 100.
    public func receipts(of user: String, status: String? = nil, pageSize: Int = 20) -> Listing<StoredReceiptBody> {
        listing(["users", user, "receipts"], query: filters(["status": status]), pageSize: pageSize)
    }

    /// The receipts that wait, of all users, oldest first.
    ///
    /// - Parameters:
    ///   - reason: only those that wait for this reason, such as `gateway_unavailable`.
    ///   - pageSize: the page size, 1 to 100.
    public func waitingReceipts(reason: String? = nil, pageSize: Int = 20) -> Listing<StoredReceiptBody> {
        listing(["receipts"], query: filters(["reason": reason]), pageSize: pageSize)
    }

    /// The pending refunds of all users, oldest first.
    public func waitingRefunds(pageSize: Int = 20) -> Listing<WaitingRefundBody> {
        listing(["refunds"], pageSize: pageSize)
    }

    /// All that is held about a user, as JSON Lines: each line is a row of a table, and the last one has the number of rows.
    ///
    /// It is read into memory whole, within the client's `timeout`.
    ///
    /// - Throws: ``LedgerClientError/undecodable(status:reason:)`` if the export is incomplete.
    public func export(of user: String) async throws -> Data {
        var call = Call.get(["users", user, "export"])
        call.accept = "application/x-ndjson"
        let answer = try await perform(call)
        guard answer.body.split(separator: UInt8(ascii: "\n")).last?.starts(with: Data(#"{"rows":"#.utf8)) == true
        else {
            throw LedgerClientError.undecodable(status: answer.status, reason: "the export has no last line")
        }
        return answer.body
    }
}
