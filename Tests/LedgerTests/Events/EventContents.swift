import Foundation
import Testing

@testable import Ledger

extension Event {
    var entry: EventEntry? {
        guard case .entry(let entry) = content else { return nil }
        return entry
    }

    var occurrence: Occurrence? {
        guard case .occurrence(let occurrence) = content else { return nil }
        return occurrence
    }
}

extension Occurrence {
    /// What is stored of it, by the stored names.
    var members: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(detail.utf8))) as? [String: Any] ?? [:]
    }
}

extension Events {
    /// All events, read in pages.
    func everything(_ filter: EventFilter = .all, limit: Int = 7) async throws -> [Event] {
        var events: [Event] = []
        var last: Int64 = 0
        while true {
            let page = try await list(after: last, filter, limit: limit)
            events += page.events
            last = page.next
            if !page.hasMore { return events }
        }
    }
}

/// What an event reports of its entry, but its number.
struct EventContents: Equatable {
    let type: EventType
    let user: UserID?
    let entryID: Int64?
    let change: CoinChange?
    let balance: Balance?

    init(_ event: Event) {
        type = event.type
        user = event.user
        entryID = event.entry?.id
        change = event.entry?.change
        balance = event.entry?.balance
    }
}

/// Checks that the events are numbered 1, 2, 3, …, and that each user's balances follow from the changes.
///
/// - Returns: each user's last balance.
@discardableResult
func expectContinuous(_ events: [Event], sourceLocation: SourceLocation = #_sourceLocation) -> [UserID: Balance] {
    #expect(events.map(\.seq) == Array(1...Int64(max(1, events.count))), sourceLocation: sourceLocation)
    var balances: [UserID: Balance] = [:]
    for event in events {
        guard let user = event.user, let entry = event.entry, let after = entry.balance, let change = entry.change
        else { continue }
        let before = balances[user]
        let expected = [
            (before?.paid ?? 0) + change.paid, (before?.bonus ?? 0) + change.bonus, (before?.held ?? 0) + change.held,
            (before?.debt ?? 0) + change.debt,
        ]
        #expect(
            expected == [after.paid, after.bonus, after.held, after.debt],
            "event \(event.seq), \(event.type.rawValue) of \(user.rawValue)", sourceLocation: sourceLocation)
        balances[user] = after
    }
    return balances
}

/// What events of each type have of all that events can have, as lines: for golden files.
func parts(of events: [Event]) -> [String] {
    var parts: [String: Set<String>] = [:]
    for event in events {
        var found = Set([event.user.map { _ in "user" }].compactMap(\.self))
        switch event.content {
        case .occurrence(let occurrence):
            found.insert("subject \(occurrence.subject.prefix { $0 != ":" })")
            found.formUnion(occurrence.members.keys.map(inSwift))
        case .entry(let entry):
            found.formUnion(membersSet(of: entry).filter { $0 != "fact" })
            if entry.lotCount > 0 { found.insert("lots") }
            if let fact = entry.fact, let content = Mirror(reflecting: fact).children.first {
                found.insert("fact \(content.label ?? "")")
            }
            if case .refund(_, _, let decision?) = entry.fact {
                found.formUnion(membersSet(of: decision).map { "decision \($0)" })
            }
        }
        parts[event.type.rawValue, default: []].formUnion(found)
    }
    return parts.sorted { $0.key < $1.key }.map { "\($0): \($1.sorted().joined(separator: ", "))" }
}

/// The name of a stored member as Swift has it: `impUID` for `imp_uid`.
private func inSwift(_ name: String) -> String {
    let words = name.split(separator: "_")
    let rest = words.dropFirst().map { ["id", "uid"].contains($0) ? $0.uppercased() : $0.capitalized }
    return String(words[0]) + rest.joined()
}

/// The names of the optional members that are set.
private func membersSet(of value: Any) -> Set<String> {
    let optional = Mirror(reflecting: value).children.filter { Mirror(reflecting: $0.value).displayStyle == .optional }
    return Set(optional.filter { !Mirror(reflecting: $0.value).children.isEmpty }.compactMap(\.label))
}
