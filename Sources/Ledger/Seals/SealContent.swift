package import Foundation

/// The content of a seal: the number of entries, the chain's hash after them, and the totals.
package struct SealContent: Sendable, Equatable {
    /// When it was sealed, in whole seconds.
    package let sealedAt: Date
    /// The number of sealed entries.
    package var entries: Int64 { state.entries }
    /// The chain's hash after the last sealed entry, in hexadecimal.
    package var head: String { state.hash.hex }
    /// Debits and credits of the sealed entries by kind of account, in order.
    package var totals: [(account: AccountClass, total: ChainTotal)] {
        state.totals.sorted { $0.key < $1.key }.map { (account: $0.key, total: $0.value) }
    }

    let state: ChainState

    init(_ state: ChainState, sealedAt: Date) {
        self.state = state
        self.sealedAt = Date(timeIntervalSince1970: sealedAt.timeIntervalSince1970.rounded(.down))
    }

    // MARK: The signed text

    private static func title(_ format: ChainFormat) -> String { "ledgerd-seal \(format.rawValue)" }

    /// The signed text (docs/seals.md).
    ///
    /// Each line ends with a line feed.
    package var text: String {
        let head = [
            Self.title(state.format), "sealed-at \(sealedAt.formatted(Date.ISO8601FormatStyle()))",
            "entries \(entries)",
            "head \(self.head)",
        ]
        let totals = totals.map { "total \($0.name) \($0.currency) \($1.debits) \($1.credits)" }
        return (head + totals).map { $0 + "\n" }.joined()
    }

    /// Reads a signed text; nil: invalid.
    package init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popLast()?.isEmpty == true, let title = lines.popFirst(),
            let format = ChainFormat.allCases.first(where: { Self.title($0) == title }),
            let time = lines.popFirst()?.value(of: "sealed-at"),
            let sealedAt = try? Date(time, strategy: Date.ISO8601FormatStyle()),
            let entries = lines.popFirst()?.value(of: "entries").flatMap({ Int64($0) }),
            let hash = lines.popFirst()?.value(of: "head").flatMap({ [UInt8](hex: $0) })
        else { return nil }
        var totals: [AccountClass: ChainTotal] = [:]
        for line in lines {
            guard let (account, total) = line.total else { return nil }
            totals[account] = total
        }
        self.init(ChainState(format, entries: entries, hash: hash, totals: totals), sealedAt: sealedAt)
        // There is only one text for a content.
        guard self.text == text else { return nil }
    }

    /// Compares the contents.
    package static func == (left: SealContent, right: SealContent) -> Bool {
        left.sealedAt == right.sealedAt && left.state == right.state
    }
}

extension Substring {
    fileprivate func value(of name: String) -> Substring? {
        hasPrefix(name + " ") ? dropFirst(name.count + 1) : nil
    }

    fileprivate var total: (AccountClass, ChainTotal)? {
        let parts = split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "total", let debits = Int64(parts[3]), let credits = Int64(parts[4]) else {
            return nil
        }
        return (
            AccountClass(name: String(parts[1]), currency: String(parts[2])),
            ChainTotal(debits: debits, credits: credits)
        )
    }
}

extension [UInt8] {
    /// Reads two hexadecimal digits per byte; nil: invalid.
    init?(hex: Substring) {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
