extension Checker {
    /// The fewest acts and reads of a violation's user with which it is still found.
    ///
    /// Leaves out halves, then quarters, and so on (Zeller and Hildebrandt: "Simplifying and isolating failure-inducing
    /// input", 2002).
    package func smallestHistory(of history: History, showing violation: Violation) -> History {
        let own = History(
            attempts: history.attempts.filter { $0.act.user == violation.user },
            reads: history.reads.filter { $0.user == violation.user })
        let checker = ofOne(user: violation.user)
        var kept = (own.attempts.map(Event.attempt) + own.reads.map(Event.read)).sorted { $0.begun < $1.begun }
        guard checker.shows(violation, kept) else { return own }
        var size = kept.count / 2
        while size >= 1 {
            var start = 0
            while start < kept.count {
                let fewer = Array(kept[..<start] + kept[min(start + size, kept.count)...])
                if checker.shows(violation, fewer) { kept = fewer } else { start += size }
            }
            size /= 2
        }
        return History(kept)
    }

    private func shows(_ violation: Violation, _ events: [Event]) -> Bool {
        violations(of: History(events)).contains { $0.rule == violation.rule && $0.user == violation.user }
    }

    fileprivate enum Event {
        case attempt(Attempt)
        case read(Read)

        var begun: Moment {
            switch self {
            case .attempt(let attempt): attempt.begun
            case .read(let read): read.begun
            }
        }
    }
}

extension History {
    fileprivate init(_ events: [Checker.Event]) {
        self.init()
        for event in events {
            switch event {
            case .attempt(let attempt): attempts.append(attempt)
            case .read(let read): reads.append(read)
            }
        }
    }
}
