/// What decides which coins are used first.
enum LotOrderTerm: String, Sendable, CaseIterable {
    /// Coins that expire earlier go first; coins that never expire go last.
    case earliestExpiry = "earliest-expiry"
    case bonusFirst = "bonus-first"
    case paidFirst = "paid-first"
    case oldestFirst = "oldest-first"
    case newestFirst = "newest-first"

    static let rule = "different terms of " + allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas"

    /// The terms, the first deciding; nil when one is unknown, repeated, or the opposite of another.
    static func parse(_ text: String) -> [LotOrderTerm]? {
        let names = text.commaSeparated
        let terms = names.compactMap(LotOrderTerm.init(rawValue:))
        let isContradictory =
            Set(terms).isSuperset(of: [.bonusFirst, .paidFirst])
            || Set(terms).isSuperset(of: [.oldestFirst, .newestFirst])
        return terms.isEmpty || terms.count != names.count || Set(terms).count != terms.count || isContradictory
            ? nil : terms
    }
}
