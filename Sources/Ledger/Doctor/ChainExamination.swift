import Postgres

/// Recomputes the chain from the journal entry by entry, and compares it with each link and with a seal.
struct ChainExamination {
    private let connection: PostgresConnection
    private let seal: Seal?
    private let progress: (Double) -> Void
    /// The state computed from the first journal entry on, independent of the links.
    ///
    /// A seal is compared with it.
    private var real = ChainState()
    /// The state computed from the previous link's state, if that differs from ``real``: one altered link must not make
    /// all later links look altered.
    private var claimed: ChainState?
    private var buffer: [UInt8] = []
    private var entriesExpected: Int64 = 0
    private var isSealReached = false
    /// Whether the current link has an entry that its format can't prove any more.
    private var isErased = false
    private(set) var findings: ChainFindings

    /// - Parameters:
    ///   - connection: a connection in a transaction.
    ///   - limit: how many deviations of each kind to list.
    ///   - progress: called with the part of the chain that was read, 0 to 1.
    init(
        on connection: PostgresConnection, against seal: Seal?, naming limit: Int,
        progress: @escaping (Double) -> Void
    ) {
        self.connection = connection
        self.seal = seal
        self.progress = progress
        findings = ChainFindings(limit: limit)
    }

    /// Reads to the end of the chain or, if that is further, to the last sealed entry; in each format of the chain.
    mutating func examine() async throws {
        try await ChainReader.prepare(connection)
        let end = try await connection.run(ChainLink.last)
        entriesExpected = max(end?.state.entries ?? 0, seal?.content.entries ?? 0)
        var last: ChainLink?
        for format in ChainFormat.allCases {
            (real, claimed) = (ChainState(format), nil)
            compareWithSeal()
            last = try await examineLinks(of: format, after: last)
            guard let seal, seal.content.state.format == format else { continue }
            (claimed, isErased) = (nil, false)
            let position = last.flatMap { $0.state.format == format ? $0.last : nil } ?? .start
            try await walk(from: position, through: nil, count: seal.content.entries)
            if !isSealReached { noteMissing(of: seal) }
        }
        // Of an older format than the one before.
        if let next = try await connection.run(ChainLink.after(last?.id ?? 0, limit: 1)).first {
            noteGap(at: next, after: last)
        }
    }

    /// - Returns: the last link of the format, or what was before.
    private mutating func examineLinks(of format: ChainFormat, after before: ChainLink?) async throws -> ChainLink? {
        var last = before
        while true {
            let links = try await connection.run(ChainLink.after(last?.id ?? 0, limit: 256))
            for link in links {
                guard link.state.format == format else { return last }
                try await examine(link, after: last)
                last = link
            }
            if links.isEmpty { return last }
        }
    }

    private mutating func examine(_ link: ChainLink, after before: ChainLink?) async throws {
        let former = before.flatMap { $0.state.format == link.state.format ? $0 : nil }
        let start = former?.state ?? ChainState(link.state.format)
        let position = former?.last ?? .start
        if link.id != (before?.id ?? 0) + 1 || link.firstPosition != start.entries + 1
            || link.previousHash != start.hash
            || link.last <= position
        {
            noteGap(at: link, after: before)
        }
        claimed = start == real ? nil : start
        isErased = false
        try await walk(from: position, through: link.last)
        if isErased { goOn(from: link) }
        compare(claimed ?? real, with: link, after: start)
    }

    /// What was erased after it was linked is proven by the newest format: of the link only the number and the totals are.
    private mutating func goOn(from link: ChainLink) {
        real = ChainState(link.state.format, entries: real.entries, hash: link.state.hash, totals: real.totals)
        if let claimed {
            self.claimed = ChainState(
                link.state.format, entries: claimed.entries, hash: link.state.hash, totals: claimed.totals)
        }
        isErased = false
        compareWithSeal()
    }

    private mutating func noteGap(at link: ChainLink, after before: ChainLink?) {
        findings.note(.linksFollow, "link:\(link.id)", "does not follow link \(before?.id ?? 0)")
    }

    private mutating func compare(_ state: ChainState, with link: ChainLink, after start: ChainState) {
        if state.hash != link.state.hash || state.entries != link.state.entries {
            findings.note(
                .linksHold, "link:\(link.id)",
                "covers \(link.state.entries - start.entries) entries, \(link.firstPosition) to \(link.state.entries); the "
                    + "\(state.entries - start.entries) entries in the journal have another hash")
        } else if state.totals != link.state.totals {
            findings.note(.linksHold, "link:\(link.id)", "its totals differ from the sums of its entries")
        }
    }

    private mutating func walk(
        from start: ChainPosition, through end: ChainPosition?, count: Int64 = .max
    ) async throws {
        let reader = ChainReader(connection: connection)
        var position = start
        while real.entries < count {
            let entries = try await reader.provingPage(after: position, through: end)
            for entry in entries where real.entries < count { add(entry) }
            progress(Double(real.entries) / Double(max(entriesExpected, real.entries, 1)))
            guard let last = entries.last, entries.count == ChainReader.pageSize else { return }
            position = last.position
        }
    }

    private mutating func add(_ entry: ChainEntry) {
        isErased = isErased || real.format == .texts && entry.isErased
        real.add(entry, &buffer)
        claimed?.add(entry, &buffer)
        compareWithSeal()
    }
}

// MARK: - The seal

extension ChainExamination {
    /// - Parameter key: the trusted key; nil: the key that the seal names.
    mutating func examineSignature(of seal: Seal, trusting key: SealPublicKey?) {
        let key = key ?? seal.publicKey
        guard !seal.isSigned(by: key) else { return }
        findings.note(
            .signed, "key:\(key.id)", "did not sign this seal, which names key \(seal.publicKey.id)")
    }

    private mutating func compareWithSeal() {
        guard let sealed = seal?.content.state, sealed.format == real.format, !isSealReached, !isErased,
            real.entries == sealed.entries
        else { return }
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
            "were sealed, but the journal has \(real.entries)")
    }
}
