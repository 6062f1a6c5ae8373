/// Checks that a user's balance, as it was read, is one register: every read returns a balance that was true between its
/// request and its answer, with everything that was acknowledged before the request.
struct ReadCheck {
    let history: UserHistory
    /// The earliest place that a read may see, by the moment from which on: after each acknowledgement.
    private let acknowledged: [(moment: Moment, place: Int)]
    /// The moment of the first request of each entry that a client caused.
    private let requested: [Int: Moment]

    /// - Parameter entryOf: the entry of an act, by its key.
    init(_ history: UserHistory, attempts: [Attempt], entryOf: (Act) -> Int64?) {
        self.history = history
        var acknowledged: [(moment: Moment, place: Int)] = []
        var requested: [Int: Moment] = [:]
        for attempt in attempts {
            guard let entry = entryOf(attempt.act), let place = history.places[entry] else { continue }
            if attempt.answer != nil { acknowledged.append((attempt.ended, place + 1)) }
            // A purchase may come by webhook before its receipt; a debt's payment follows its cause.
            if attempt.act.kind != .receipt {
                requested[place] = min(requested[place] ?? .max, attempt.begun)
            }
        }
        self.acknowledged = acknowledged.sorted { $0.moment < $1.moment }
        self.requested = requested
    }

    func violations(of reads: [Read]) -> [Violation] {
        var violations: [Violation] = []
        var seen: [(moment: Moment, place: Int)] = []
        for read in reads.sorted(by: { $0.begun < $1.begun }) {
            let own = acknowledged.prefix { $0.moment < read.begun }.map(\.place).max() ?? 0
            let earlier = seen.filter { $0.moment < read.begun }.map(\.place).max() ?? 0
            let latest = history.entries.indices.first { (requested[$0] ?? .min) > read.ended } ?? history.entries.count
            let places = history.states.indices.filter { history.states[$0] == read.coins }
            if let place = places.first(where: { $0 >= max(own, earlier) && $0 <= latest }) {
                seen.append((read.ended, place))
                continue
            }
            let window = "between \(read.begun / 1_000_000) and \(read.ended / 1_000_000) ms, service \(read.service)"
            let allowed = "entries \(max(own, earlier)) to \(latest) of \(history.entries.count)"
            if let place = places.last(where: { $0 < max(own, earlier) }) {
                violations.append(
                    Violation(
                        .ownActNotSeen, user: history.user,
                        "\(window): read \(read.coins), the state after entry \(place); allowed: \(allowed)",
                        keys: lostKeys(after: place, upTo: max(own, earlier))))
            } else {
                violations.append(
                    Violation(
                        .readOutsideItsTime, user: history.user, "\(window): read \(read.coins); allowed: \(allowed)"))
            }
        }
        return violations
    }

    /// The keys of the acts that a stale read does not show.
    private func lostKeys(after place: Int, upTo last: Int) -> [String] {
        history.entries[place..<min(last, history.entries.count)].compactMap(\.reason)
    }
}
