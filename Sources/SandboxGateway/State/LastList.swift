/// A list that was worked out, kept while no payment changes: the next page of it is asked for next.
struct LastList<Element: Sendable>: Sendable {
    private var key: String?
    private var changes = 0
    private var elements: [Element] = []

    /// The list with this name as of so many changes, worked out unless it is known.
    mutating func list(_ key: String, asOf changes: Int, _ workOut: () -> [Element]) -> [Element] {
        if self.key != key || self.changes != changes {
            elements = workOut()
            self.key = key
            self.changes = changes
        }
        return elements
    }
}
