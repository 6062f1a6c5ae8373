/// The rules that the chain and a seal must follow.
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
        case .linksHold: "each link of the chain has the hash and the totals of its journal entries"
        case .signed: "the seal is signed with the trusted key"
        case .allThere: "the journal has at least as many entries as were sealed"
        case .headHolds: "the first entries of the journal are the sealed entries, in order and unchanged"
        case .totalsHold: "the totals of the sealed entries are the totals of the seal"
        }
    }

    /// Whether the rule can be checked without a seal.
    var isOfBooksAlone: Bool { self == .linksFollow || self == .linksHold }
}

/// The findings of an examination of the chain, by rule.
struct ChainFindings {
    /// How many deviations of each rule are listed.
    let limit: Int
    private var found: [ChainRule: (count: Int64, named: [Diagnosis.Deviation])] = [:]

    init(limit: Int) { self.limit = limit }

    mutating func note(_ rule: ChainRule, _ subject: String, _ detail: String) {
        var all = found[rule] ?? (count: 0, named: [])
        all.count += 1
        if all.named.count < limit { all.named.append(Diagnosis.Deviation(subject: subject, detail: detail)) }
        found[rule] = all
    }

    /// The results of the rules; those of seals only if there is a seal.
    func results(withSeal: Bool) -> [Diagnosis.Result] {
        ChainRule.allCases.filter { withSeal || $0.isOfBooksAlone }.map { rule in
            Diagnosis.Result(
                code: rule.rawValue, proves: rule.proves, count: found[rule]?.count ?? 0,
                deviations: found[rule]?.named ?? [])
        }
    }
}
