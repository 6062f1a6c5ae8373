import CivilTime
package import Foundation

/// Proves an archive line by line, with nothing but its seals.
package struct ArchiveExamination: Sendable {
    package let head: ArchiveHead
    private var state: ChainState
    private var buffer: [UInt8] = []
    /// When the first and the last of the entries so far were recorded, in microseconds since 1970.
    private var recorded: ClosedRange<Int64>?

    /// Reads the first line.
    ///
    /// - Throws: ``ArchiveFault/notAnArchive``.
    package init(head line: [UInt8]) throws(ArchiveFault) {
        guard let head = ArchiveHead(line: line) else { throw .notAnArchive }
        self.head = head
        state = head.start
    }

    /// The number of entries so far.
    package var entries: Int64 { state.entries - head.start.entries }

    /// When the entries so far were recorded; nil: there are none.
    package var recordedAt: ClosedRange<Date>? {
        recorded.map {
            Date(microsecondsSince1970: $0.lowerBound)...Date(microsecondsSince1970: $0.upperBound)
        }
    }

    /// Adds the line of an entry.
    ///
    /// - Throws: ``ArchiveFault``: what follows can't be proven.
    package mutating func add(_ line: [UInt8]) throws(ArchiveFault) {
        guard state.entries < head.end.entries else { throw .moreEntries(than: head.entries) }
        let number = state.entries + 1
        guard let read = ArchiveEntry(line: line, state.format) else { throw .unreadable(entry: number) }
        guard read.number == number else { throw .missing(entry: number, found: read.number) }
        state.add(read.entry, &buffer)
        let time = read.entry.recordedAt
        recorded = min(recorded?.lowerBound ?? time, time)...max(recorded?.upperBound ?? time, time)
    }

    /// What is wrong with the archive as a whole, after the last line.
    ///
    /// - Parameter keys: one of them must have signed each seal, which must name it: a ledger's key can change. Empty: each
    ///   seal's own, which proves nothing if the seals were forged.
    package func faults(trusting keys: [SealPublicKey]) -> [ArchiveFault] {
        var faults: [ArchiveFault] = []
        for seal in [head.opening, head.closing].compactMap(\.self) {
            let trusted = keys.isEmpty ? [seal.publicKey] : keys.filter { $0 == seal.publicKey }
            if !trusted.contains(where: seal.isSigned) {
                faults.append(.notSigned(entries: seal.content.entries, key: seal.publicKey.id))
            }
        }
        if state.entries < head.end.entries {
            faults.append(.fewerEntries(entries, than: head.entries))
        } else if state.hash != head.end.hash {
            faults.append(.otherEntries(sealed: head.closing.content.head, read: state.hash.hex))
        } else if state.totals != head.end.totals {
            faults.append(.otherTotals)
        }
        return faults
    }
}

/// Why a file does not prove what it says.
package enum ArchiveFault: Error, Equatable, CustomStringConvertible {
    case notAnArchive
    case unreadable(entry: Int64)
    case missing(entry: Int64, found: Int64)
    case moreEntries(than: Int64)
    case fewerEntries(Int64, than: Int64)
    case notSigned(entries: Int64, key: String)
    case otherEntries(sealed: String, read: String)
    case otherTotals

    package var description: String {
        switch self {
        case .notAnArchive: "the first line is not the head of an archive"
        case .unreadable(let entry): "the line of entry \(entry) can't be read"
        case .missing(let entry, let found): "entry \(entry) is missing: entry \(found) is in its place"
        case .moreEntries(let sealed): "there are more lines than the \(sealed) entries of the archive"
        case .fewerEntries(let read, let sealed): "the file has \(read) of the \(sealed) entries of the archive"
        case .notSigned(let entries, let key):
            "no trusted key signed the seal of \(entries) entries, which names key \(key)"
        case .otherEntries(let sealed, let read):
            "the entries are not those that were sealed: their hash was sealed as \(sealed) and is \(read)"
        case .otherTotals: "the totals of the entries are not the sealed totals"
        }
    }
}
