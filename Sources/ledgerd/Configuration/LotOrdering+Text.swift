import Ledger

extension LotOrdering {
    /// The format, for help and error messages.
    static let rule =
        "different terms of " + Term.allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas"

    /// The order by the terms of a text; nil if a term is unknown, repeated, or the opposite of another.
    static func parse(_ text: String) -> LotOrdering? {
        let names = text.commaSeparated
        let terms = names.compactMap(Term.init(rawValue:))
        let isContradictory =
            Set(terms).isSuperset(of: [.bonusFirst, .paidFirst])
            || Set(terms).isSuperset(of: [.oldestFirst, .newestFirst])
        return terms.isEmpty || terms.count != names.count || Set(terms).count != terms.count || isContradictory
            ? nil : LotOrdering(terms)
    }
}
