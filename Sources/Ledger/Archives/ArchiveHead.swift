import WireFormats

/// The first line of an archive: which entries follow, and the seals that prove them (docs/seals.md, "Archives").
///
/// An archive has the journal entries between two seals, in the order of the chain. The hash before the first entry is the
/// opening seal's, the hash after the last one the closing seal's, so both prove every field between them.
package struct ArchiveHead: Sendable, Equatable {
    private static func name(_ format: ChainFormat) -> String { "ledgerd-archive-\(format.rawValue)" }

    /// The seal that covers everything before; nil: the entries are the ledger's first.
    package let opening: Seal?
    /// The seal that the last entry ends.
    package let closing: Seal

    /// Nil: the closing seal covers fewer entries than the opening one, or their formats differ.
    init?(opening: Seal?, closing: Seal) {
        let before = opening?.content.entries ?? 0
        guard before >= 0, before < .max, closing.content.entries >= before,
            opening == nil || opening?.content.state.format == closing.content.state.format
        else { return nil }
        self.opening = opening
        self.closing = closing
    }

    /// The number of the first entry, from 1.
    package var first: Int64 { start.entries + 1 }
    /// The number of entries.
    package var entries: Int64 { closing.content.entries - start.entries }
    /// The state of the chain before the first entry.
    var start: ChainState { opening?.content.state ?? ChainState(end.format) }
    /// The state of the chain after the last entry.
    var end: ChainState { closing.content.state }
}

// MARK: - The line

extension ArchiveHead {
    /// The line, with its line feed.
    var line: [UInt8] {
        var out = JSONWriter()
        out.beginObject()
        out.member("format", Self.name(end.format))
        out.member("first", first)
        out.member("entries", entries)
        out.name("opening_seal")
        if let opening { opening.write(to: &out) } else { out.null() }
        out.name("closing_seal")
        closing.write(to: &out)
        out.endObject()
        return out.bytes + [UInt8(ascii: "\n")]
    }

    private static let members: Set<String> = ["format", "first", "entries", "opening_seal", "closing_seal"]

    /// Reads a line; nil: it is not the head of an archive.
    ///
    /// A member that is unknown is refused: no seal covers it.
    init?(line: [UInt8]) {
        guard let json = try? JSONParser.parse(line), case .object(let members) = json,
            Self.members.isSuperset(of: members.keys), let closing = json["closing_seal"].flatMap(Seal.init(json:)),
            let member = json["opening_seal"]
        else { return nil }
        let opening = member == .null ? nil : Seal(json: member)
        guard opening != nil || member == .null, let head = ArchiveHead(opening: opening, closing: closing),
            json["format"]?.text == Self.name(head.end.format), json["first"]?.integer == head.first,
            json["entries"]?.integer == head.entries
        else { return nil }
        self = head
    }
}
