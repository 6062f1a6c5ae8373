import Postgres

/// Writes archives: the entries between two seals, as a file that is proven without the database.
package struct Archives: Sendable {
    private let source: BooksSource

    /// - Parameter source: where the journal is read. Nothing is written.
    package init(_ source: BooksSource) { self.source = source }

    /// Writes the entries between two seals.
    ///
    /// Each entry is added to the hash before it is written, and the hash is compared with both seals: what is not as it was
    /// sealed has no archive.
    ///
    /// - Parameters:
    ///   - opening: the seal that covers everything before; nil: the archive begins with the first entry.
    ///   - closing: the seal that the archive ends with; nil: the last one that the database has.
    ///   - progress: called with the number of entries that are written, and of all.
    ///   - output: called with the parts of the file, in order. An error that it throws ends the archive.
    /// - Returns: the head of the archive.
    /// - Throws: ``LedgerError/Code/invalid`` when there is no such archive, because nothing was sealed, the seals are in the
    ///   wrong order, or the journal is not what was sealed; others as ``Doctor``.
    package func write(
        after opening: Seal?, through closing: Seal?, progress: (_ written: Int64, _ all: Int64) -> Void,
        to output: ([UInt8]) throws -> Void
    ) async throws -> ArchiveHead {
        // A LedgerError would not say what is wrong with the output.
        var outputError: (any Error)?
        do {
            return try await source.with(\.forExamining) { connection, _ in
                try await Migrator(configuration: source.primary).requireCurrent(on: connection)
                try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                try await ChainReader.prepare(connection)
                let last = try await closing == nil ? connection.run(Seals.Kept.last)?.seal : closing
                guard let last else { throw LedgerError(.invalid, "nothing was sealed: see `ledgerd seal --help`") }
                guard let head = ArchiveHead(opening: opening, closing: last) else {
                    throw LedgerError(
                        .invalid, "the closing seal covers fewer entries than the opening one, or is of another format")
                }
                var writing = try await ArchiveWriting(head, on: connection)
                while let part = try await writing.next() {
                    do {
                        try output(part)
                    } catch {
                        outputError = error
                        throw error
                    }
                    progress(writing.written, head.entries)
                }
                return head
            }
        } catch {
            throw outputError ?? error
        }
    }
}

/// An archive that is being written, part by part.
private struct ArchiveWriting {
    private let head: ArchiveHead
    private let reader: ChainReader
    private var state: ChainState
    private var position: ChainPosition
    private var buffer: [UInt8] = []
    private var hasBegun = false

    /// Begins at the last link of the chain that the opening seal covers: the entries between are read, and not written.
    init(_ head: ArchiveHead, on connection: PostgresConnection) async throws {
        self.head = head
        reader = ChainReader(connection: connection)
        let link = try await ChainLink.last(upTo: head.start.entries, of: head.start.format, on: connection)
        state = link?.state ?? ChainState(head.start.format)
        position = link?.last ?? .start
        try compare()
    }

    var written: Int64 { max(0, state.entries - head.start.entries) }

    /// The next part of the file; nil: it is complete.
    mutating func next() async throws -> [UInt8]? {
        if !hasBegun {
            hasBegun = true
            return head.line
        }
        guard state.entries < head.end.entries else { return nil }
        let entries = try await reader.provingPage(after: position, through: nil)
        guard let end = entries.last else {
            throw LedgerError(
                .invalid,
                "the journal has \(state.entries) entries, and \(head.end.entries) were sealed: see `ledgerd doctor --seal`"
            )
        }
        position = end.position
        var part: [UInt8] = []
        for entry in entries where state.entries < head.end.entries { try add(entry, to: &part) }
        return part
    }

    private mutating func add(_ entry: ChainEntry, to part: inout [UInt8]) throws {
        guard state.format != .texts || !entry.isErased else {
            throw LedgerError(
                .invalid,
                "texts of entry \(entry.position.entryID) were erased since it was sealed: give seals of the newest format"
            )
        }
        let isArchived = state.entries >= head.start.entries
        state.add(entry, &buffer)
        try compare()
        guard isArchived else { return }
        guard let line = ArchiveEntry(number: state.entries, entry: entry).line(state.format) else {
            throw LedgerError(.invalid, "entry \(entry.position.entryID) has a time that an archive can't tell")
        }
        part += line
    }

    private func compare() throws {
        for sealed in [head.start, head.end] where state.entries == sealed.entries && state != sealed {
            throw LedgerError(
                .invalid,
                "the first \(sealed.entries) entries of the journal are not what was sealed: see `ledgerd doctor --seal`"
            )
        }
    }
}

extension ChainLink {
    /// The last link of the format that ends with the entry of this number or an earlier one; nil: its first link ends later.
    ///
    /// The numbers of last entries rise with the ids of a format's links, and no index has them.
    fileprivate static func last(
        upTo entries: Int64, of format: ChainFormat, on connection: PostgresConnection
    ) async throws -> ChainLink? {
        var found: ChainLink?
        var (low, high): (Int64, Int64) = (0, try await connection.run(last)?.id ?? 0)
        while low < high {
            let middle = low + (high - low + 1) / 2
            guard let link = try await connection.run(after(middle - 1, limit: 1)).first, link.id == middle else {
                throw LedgerError(.invalid, "the chain has no link \(middle): see `ledgerd doctor`")
            }
            if (link.state.format, link.state.entries) <= (format, entries) {
                found = link
                low = middle
            } else {
                high = middle - 1
            }
        }
        return found.flatMap { $0.state.format == format ? $0 : nil }
    }
}
