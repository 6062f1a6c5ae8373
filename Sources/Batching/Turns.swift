import DequeModule

/// Whose work it is: one caller's, within a share that callers of a kind have together.
package struct Lane: Hashable, Sendable {
    /// The kind of caller.
    package let share: String
    /// The caller.
    package let caller: String

    /// Names a caller within a share.
    package init(share: String, caller: String = "") {
        self.share = share
        self.caller = caller
    }

    /// The lane of work that belongs to no caller.
    package static let common = Lane(share: "")
}

/// What waits, and whose turn it is: shares take turns, within a share its callers do, and a caller's own come in the
/// order in which they were added.
///
/// So a newcomer waits at most for one turn of each other share, and for one of each other caller in its own share,
/// however much they have waiting. A lane takes memory only while something waits in it.
package struct Turns<Element> {
    private var shares = Rotation<Rotation<Deque<Element>>>()

    /// How much waits.
    package private(set) var count = 0

    /// Creates an empty queue.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// Adds an element behind those of its lane.
    package mutating func append(_ element: Element, in lane: Lane) {
        shares.withLine(of: lane.share) { callers in
            callers.withLine(of: lane.caller) { $0.append(element) }
        }
        count += 1
    }

    /// Takes the element whose turn it is.
    package mutating func popFirst() -> Element? {
        let first = shares.withNextLine { callers in callers.withNextLine { $0.popFirst() } ?? nil } ?? nil
        if first != nil { count -= 1 }
        return first
    }

    /// Takes an element out of its lane; nil when it isn't there.
    package mutating func remove(from lane: Lane, where isMeant: (Element) -> Bool) -> Element? {
        let removed = shares.withLine(of: lane.share) { callers in
            callers.withLine(of: lane.caller) { line in line.firstIndex(where: isMeant).map { line.remove(at: $0) } }
        }
        if removed != nil { count -= 1 }
        return removed
    }
}

extension Turns: Sendable where Element: Sendable {}

/// Something that waits in a ``Rotation``.
private protocol Line {
    init()
    var isEmpty: Bool { get }
}

extension Deque: Line {}

/// Lines that take turns; one that is empty is forgotten.
private struct Rotation<Member: Line>: Line {
    private var lines: [String: Member] = [:]
    /// The names of the lines, the next one's first.
    private var order: Deque<String> = []

    var isEmpty: Bool { lines.isEmpty }

    /// Changes the line of that name; one that is new takes its turn after the others.
    mutating func withLine<Answer>(of name: String, _ body: (inout Member) -> Answer) -> Answer {
        let isNew = lines[name] == nil
        let answer = body(&lines[name, default: Member()])
        let isGone = forgetIfEmpty(name)
        switch (isNew, isGone) {
        case (true, false): order.append(name)
        case (false, true): order.removeAll { $0 == name }
        case (true, true), (false, false): break
        }
        return answer
    }

    /// Changes the line whose turn it is, and puts it behind the others; nil when there is none.
    mutating func withNextLine<Answer>(_ body: (inout Member) -> Answer) -> Answer? {
        guard let name = order.popFirst() else { return nil }
        let answer = body(&lines[name, default: Member()])
        if !forgetIfEmpty(name) { order.append(name) }
        return answer
    }

    private mutating func forgetIfEmpty(_ name: String) -> Bool {
        guard lines[name]?.isEmpty ?? true else { return false }
        lines[name] = nil
        return true
    }
}

extension Rotation: Sendable where Member: Sendable {}
