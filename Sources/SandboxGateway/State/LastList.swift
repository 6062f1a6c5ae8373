/// A computed list, cached while no payment changes, for the next page.
struct LastList<Element: Sendable>: Sendable {
    private var key: String?
    private var changes = 0
    private var elements: [Element] = []

    /// The list with this name at this number of changes, from the cache if possible.
    mutating func list(_ key: String, asOf changes: Int, _ workOut: () -> [Element]) -> [Element] {
        if self.key != key || self.changes != changes {
            elements = workOut()
            self.key = key
            self.changes = changes
        }
        return elements
    }
}
