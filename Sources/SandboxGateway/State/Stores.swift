/// The stores of the gateway's one merchant (PortOne V2 contract, store selection).
struct Stores: Sendable {
    /// The store that its secret belongs to.
    let main: String
    /// Its other stores.
    let others: Set<String>

    func mayUse(_ store: String) -> Bool { store == main || others.contains(store) }
}
