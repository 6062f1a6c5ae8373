import Postgres

extension Settlements {
    /// The result of dismissing a line.
    package enum Dismissed: Sendable, Equatable {
        /// It is dismissed now, or was before.
        case done(SettlementLine)
        /// Only an unmatched line can be dismissed.
        case refused(SettlementLine.Status)
        case notFound
    }

    /// Dismisses a line: a person says that it is not ours, so that nobody has to look at it again.
    ///
    /// A line that is dismissed already keeps its first reason. The decision is about the line's payment: if the payment
    /// is credited after all, an import of the file books the line; if the file is imported with another mapping that
    /// makes it another payment's, the line is unmatched again.
    package func dismiss(
        _ number: Int64, of file: Int64, as kind: SettlementLine.Dismissal.Kind = .other, because reason: String,
        by person: String
    ) async throws(LedgerError) -> Dismissed {
        try await reading {
            _ = try await pools.writes.run(
                SettlementLine.dismiss(number, of: file, as: kind, because: reason, by: person))
            guard let line = try await pools.writes.run(SettlementLine.find(number, of: file)) else { return .notFound }
            return line.status == .dismissed ? .done(line) : .refused(line.status)
        }
    }

    /// The result of looking at a dismissal.
    package enum Checked: Sendable, Equatable {
        /// Another person has looked at it, now or before.
        case done(SettlementLine)
        /// The person dismissed it.
        case ownDismissal
        /// The line is not dismissed.
        case notDismissed
        case notFound
    }

    /// Records that another person looked at a dismissal and agrees; a repeat changes nothing.
    ///
    /// - Parameters:
    ///   - person: the caller.
    ///   - name: the person's name, for people; nil: it is not known.
    package func checkDismissal(
        _ number: Int64, of file: Int64, by person: String, named name: String? = nil
    ) async throws(LedgerError) -> Checked {
        try await reading {
            let found = try await pools.writes.run(SettlementLine.find(number, of: file))
            guard let dismissal = found?.dismissal else { return found == nil ? .notFound : .notDismissed }
            if dismissal.checkedBy == nil, Identity(person, named: name).isSamePerson(as: dismissal.person) {
                return .ownDismissal
            }
            _ = try await pools.writes.run(SettlementLine.check(number, of: file, by: person))
            let line = try await pools.writes.run(SettlementLine.find(number, of: file))
            guard let line, let now = line.dismissal else { return .notDismissed }
            return now.checkedBy == nil ? .ownDismissal : .done(line)
        }
    }

    /// A file's line with this number.
    package func find(line number: Int64, of file: Int64) async throws(LedgerError) -> SettlementLine? {
        try await reading { try await pools.reads.run(SettlementLine.find(number, of: file)) }
    }

    /// Dismissed lines at which nobody else has looked yet, newest first.
    package func listUnchecked(
        after cursor: SettlementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<SettlementLine, SettlementCursor> {
        try await reading {
            let found = try await pools.reads.run(
                SettlementLine.unchecked(before: cursor?.last ?? .max, limit: limit + 1))
            return Page(found, limit: limit) { shown in shown.last.map { SettlementCursor(last: $0.id) } }
        }
    }

    /// Lines without a payment, dismissed or not, whose payment is in the books by now, oldest first.
    package func listReturned(
        after cursor: SettlementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<SettlementLine, SettlementCursor> {
        try await reading {
            let found = try await pools.reads.run(
                SettlementLine.returned(after: cursor?.last ?? 0, limit: limit + 1))
            return Page(found, limit: limit) { shown in shown.last.map { SettlementCursor(last: $0.id) } }
        }
    }

    /// Books the lines of ``listReturned(after:limit:)``, a dismissed one too; one that can't be booked is refused with its
    /// reason.
    ///
    /// - Returns: how many lines were booked, and how many looked at.
    package func matchAgain() async throws(LedgerError) -> (booked: Int64, of: Int64) {
        let lines = try await listReturned(limit: Self.batch).elements
        var booked: Int64 = 0
        for (file, ofFile) in Dictionary(grouping: lines, by: \.fileID) {
            let siblings = try await reading {
                try await pools.reads.run(SettlementLine.siblings(of: file, ofFile.map(\.payment)))
            }
            booked += try await book(ofFile, among: siblings.map(\.draft).payouts)
        }
        return (booked, Int64(lines.count))
    }
}
