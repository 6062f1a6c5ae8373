package import Ledger
import PGVerifier

extension Ledger {
    /// What has this name: that of ``Search``, and the customers of free purchases with this name at a store.
    ///
    /// A store's order, such as `GPA.…`, leads to its purchase while an event of it is kept.
    package func named(_ name: String) async throws(LedgerError) -> [SearchHit] {
        let found = try await search.named(name, gateways: Gateways.known.map { $0.name })
        let owners = try await ownersOfFree([name] + found.filter { $0.kind == .webhook }.compactMap(\.paymentID))
        return owners.filter { !found.contains($0) } + found
    }

    /// What of a customer has this name.
    package func matches(of name: String) async throws(LedgerError) -> [SearchMatch] {
        let owners = try await named(name).filter { $0.kind == .user }
        return try await search.find(name, gateways: Gateways.known.map { $0.name }, owners: owners)
    }

    /// The customers of free purchases with one of the names, which stores give.
    private func ownersOfFree(_ names: [String]) async throws(LedgerError) -> [SearchHit] {
        var owners: [SearchHit] = []
        for name in Set(names) {
            for gateway in Gateways.known where !Gateways.thatRegister.contains(gateway.name) {
                // What can be no name at the gateway has given nothing there.
                guard let receipt = try? Receipt(gateway: gateway.name, paymentID: name, merchantUID: name),
                    let free = try await freePurchases.find(of: PaymentIdentity(receipt))
                else { continue }
                owners.append(.customer(free.user))
            }
        }
        return owners
    }
}
