/// What must hold of the chain and of a seal.
enum ChainRule: String, CaseIterable {
    case linksFollow = "chain_broken"
    case linksHold = "chain_differs"
    case signed = "seal_signature_invalid"
    case allThere = "seal_entries_missing"
    case headHolds = "seal_head_differs"
    case totalsHold = "seal_totals_differ"

    var proves: String {
        switch self {
        case .linksFollow: "each link of the chain follows the one before it"
        case .linksHold: "each link of the chain is what the journal's entries hash and add up to"
        case .signed: "the seal is signed with the key that is trusted"
        case .allThere: "the journal has as many entries as were sealed"
        case .headHolds: "the entries that were sealed are the journal's first ones, in their order and unchanged"
        case .totalsHold: "what the sealed entries add up to is what was sealed"
        }
    }

    /// Whether it says something without a seal.
    var isOfBooksAlone: Bool { self == .linksFollow || self == .linksHold }
}

/// What an examination of the chain found, rule by rule.
struct ChainFindings {
    /// How many are named of each.
    let limit: Int
    private var found: [ChainRule: (count: Int64, named: [Diagnosis.Deviation])] = [:]

    init(limit: Int) { self.limit = limit }

    mutating func note(_ rule: ChainRule, _ subject: String, _ detail: String) {
        var all = found[rule] ?? (count: 0, named: [])
        all.count += 1
        if all.named.count < limit { all.named.append(Diagnosis.Deviation(subject: subject, detail: detail)) }
        found[rule] = all
    }

    /// What each rule came to; those of seals only when there was one.
    func results(withSeal: Bool) -> [Diagnosis.Result] {
        ChainRule.allCases.filter { withSeal || $0.isOfBooksAlone }.map { rule in
            Diagnosis.Result(
                code: rule.rawValue, proves: rule.proves, count: found[rule]?.count ?? 0,
                deviations: found[rule]?.named ?? [])
        }
    }
}
