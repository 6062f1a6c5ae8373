package import FoundationEssentials

extension GooglePlay: TellsRefunds {
    package static var takenBackReach: Duration { .seconds(voidedDays * 86_400) }

    /// The voided purchases; an entry that can't be read is left to its message and its order.
    package func takenBack(in period: Range<Date>) async throws(GatewayError) -> [TakenBack] {
        let walk = voidedPurchases(in: period)
        var found: [TakenBack] = []
        var place: String?
        repeat {
            let page = try await walk.page(at: place)
            found += page.elements.map { TakenBack(id: $0.id.sha256, receipt: $0.receipt) }
            place = page.next
        } while place != nil
        return found
    }

    package func refunded(ofOrders ids: [String]) async throws(GatewayError) -> [String: Int64] {
        let found = try await orders(ids.compactMap { try? GooglePlayOrderID($0) })
        var amounts: [String: Int64] = [:]
        for order in found.orders { amounts[order.id.text] = (try? order.payment())?.cancelledAmount }
        return amounts
    }

    package func payment(forKnown receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await client.look(up: receipt, wasKnown: true).get()
    }
}
