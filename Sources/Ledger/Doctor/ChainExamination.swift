import Postgres

/// Walks the chain anew, entry by entry out of the journal, and compares: link by link, and with a seal where it says.
struct ChainExamination {
    private let connection: PostgresConnection
    private let seal: Seal?
    private let progress: (Double) -> Void
    /// What the journal comes to from its first entry on, whatever the chain says: a seal is compared with it.
    private var real = ChainState()
    /// What a link's entries come to after what the link before it says, where that is not ``real``: one link that was
    /// altered must not make all after it look so.
    private var claimed: ChainState?
    private var buffer: [UInt8] = []
    private var entriesExpected: Int64 = 0
    private var isSealReached = false
    private(set) var findings: ChainFindings

    /// - Parameters:
    ///   - connection: in a transaction that was begun.
    ///   - limit: how many deviations of each kind to name.
    ///   - progress: told which part of the chain was walked, 0 to 1.
    init(
        on connection: PostgresConnection, against seal: Seal?, naming limit: Int,
        progress: @escaping (Double) -> Void
    ) {
        self.connection = connection
        self.seal = seal
        self.progress = progress
        findings = ChainFindings(limit: limit)
    }

    /// Walks to the end of the chain or, if that is further, to where the seal says.
    mutating func examine() async throws {
        try await ChainReader.prepare(connection)
        let end = try await connection.run(ChainLink.last)
        entriesExpected = max(end?.state.entries ?? 0, seal?.content.entries ?? 0)
        compareWithSeal()
        let last = try await examineLinks()
        if let seal {
            claimed = nil
            try await walk(from: last?.last ?? .start, through: nil, count: seal.content.entries)
            if !isSealReached { noteMissing(of: seal) }
        }
    }

    private mutating func examineLinks() async throws -> ChainLink? {
        var last: ChainLink?
        while true {
            let links = try await connection.run(ChainLink.after(last?.id ?? 0, limit: 256))
            if links.isEmpty { return last }
            for link in links {
                try await examine(link, after: last)
                last = link
            }
        }
    }

    private mutating func examine(_ link: ChainLink, after before: ChainLink?) async throws {
        let start = before?.state ?? ChainState()
        let position = before?.last ?? .start
        if link.id != (before?.id ?? 0) + 1 || link.firstPosition != start.entries + 1
            || link.previousHash != start.hash
            || link.last <= position
        {
            findings.note(.linksFollow, "link:\(link.id)", "does not follow link \(before?.id ?? 0)")
        }
        claimed = start == real ? nil : start
        try await walk(from: position, through: link.last)
        compare(claimed ?? real, with: link, after: start)
    }

    private mutating func compare(_ state: ChainState, with link: ChainLink, after start: ChainState) {
        if state.hash != link.state.hash || state.entries != link.state.entries {
            findings.note(
                .linksHold, "link:\(link.id)",
                "linked entries \(link.firstPosition) to \(link.state.entries), \(link.state.entries - start.entries) of "
                    + "them; the \(state.entries - start.entries) that the journal has there come to another hash")
        } else if state.totals != link.state.totals {
            findings.note(.linksHold, "link:\(link.id)", "its totals are not what its entries add up to")
        }
    }

    private mutating func walk(
        from start: ChainPosition, through end: ChainPosition?, count: Int64 = .max
    ) async throws {
        let reader = ChainReader(connection: connection)
        var position = start
        while real.entries < count {
            let entries = try await reader.page(after: position, through: end)
            for entry in entries where real.entries < count { add(entry) }
            progress(Double(real.entries) / Double(max(entriesExpected, real.entries, 1)))
            guard let last = entries.last, entries.count == ChainReader.pageSize else { return }
            position = last.position
        }
    }

    private mutating func add(_ entry: ChainEntry) {
        real.add(entry, &buffer)
        claimed?.add(entry, &buffer)
        compareWithSeal()
    }
}

// MARK: - The seal

extension ChainExamination {
    /// - Parameter key: nil: the one that the seal names.
    mutating func examineSignature(of seal: Seal, trusting key: SealPublicKey?) {
        let key = key ?? seal.publicKey
        guard !seal.isSigned(by: key) else { return }
        findings.note(
            .signed, "key:\(key.id)", "has not signed what the seal states; it names key \(seal.publicKey.id)")
    }

    private mutating func compareWithSeal() {
        guard let sealed = seal?.content.state, !isSealReached, real.entries == sealed.entries else { return }
        isSealReached = true
        if real.hash != sealed.hash {
            findings.note(
                .headHolds, "entries:\(sealed.entries)",
                "the hash of the first \(sealed.entries) entries was sealed as \(sealed.hash.hex) and is \(real.hash.hex)"
            )
        }
        for kind in Set(real.totals.keys).union(sealed.totals.keys).sorted()
        where real.totals[kind] != sealed.totals[kind] {
            let (now, then) = (real.totals[kind] ?? ChainTotal(), sealed.totals[kind] ?? ChainTotal())
            findings.note(
                .totalsHold, "class:\(kind.name)",
                "\(kind.currency) debits \(then.debits) and credits \(then.credits) were sealed, now \(now.debits) and "
                    + "\(now.credits)")
        }
    }

    private mutating func noteMissing(of seal: Seal) {
        findings.note(
            .allThere, "entries:\(seal.content.entries)",
            "were sealed, and the journal has \(real.entries)")
    }
}
