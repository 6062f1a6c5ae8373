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

    package func payments(ofOrders ids: [String]) async throws(GatewayError) -> [String: GatewayPayment] {
        let found = try await orders(ids.compactMap { try? GooglePlayOrderID($0) })
        var payments: [String: GatewayPayment] = [:]
        for order in found.orders { payments[order.id.text] = try? order.payment() }
        return payments
    }

    package func payment(forKnown receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await client.look(up: receipt, wasKnown: true).get()
    }
}

extension GooglePlay: ListsChanges {
    /// The purchases that were taken back; what was sold is in no list.
    package static let lists = ["voided"]

    package func page(
        of list: String, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> ListedPage {
        let earliest = client.calls.timing.time.now - Double(Self.voidedDays) * 86_400
        // A walk that began is finished.
        guard Self.lists.contains(list), place != nil || period.upperBound > earliest + 3600 else {
            return ListedPage()
        }
        return ListedPage(try await voidedPurchases(in: period).page(at: place)) { .named($0.receipt) }
    }
}
