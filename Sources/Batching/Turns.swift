import DequeModule

/// The lane of a caller's work.
///
/// Callers of the same kind have a common share.
package struct Lane: Hashable, Sendable {
    /// The kind of caller.
    package let share: String
    package let caller: String

    /// A caller's lane within a share.
    package init(share: String, caller: String = "") {
        self.share = share
        self.caller = caller
    }

    /// The lane of work without a caller.
    package static let common = Lane(share: "")
}

/// A queue in which shares take turns, and the callers of a share take turns.
///
/// A caller's own elements keep their order.
///
/// So a new caller waits for at most one turn of each other share and of each other caller in its share, even if they
/// have many waiting elements. A lane uses memory only while it has waiting elements.
package struct Turns<Element> {
    private var shares = Rotation<Rotation<Deque<Element>>>()

    /// The number of waiting elements.
    package private(set) var count = 0

    /// Creates an empty queue.
    package init() {}

    /// Whether no element waits.
    package var isEmpty: Bool { count == 0 }

    /// Adds an element at the end of its lane.
    package mutating func append(_ element: Element, in lane: Lane) {
        shares.withLine(of: lane.share) { callers in
            callers.withLine(of: lane.caller) { $0.append(element) }
        }
        count += 1
    }

    /// Removes and returns the next element.
    package mutating func popFirst() -> Element? {
        let first = shares.withNextLine { callers in callers.withNextLine { $0.popFirst() } ?? nil } ?? nil
        if first != nil { count -= 1 }
        return first
    }

    /// Removes and returns an element of a lane; nil: not found.
    package mutating func remove(from lane: Lane, where isMeant: (Element) -> Bool) -> Element? {
        let removed = shares.withLine(of: lane.share) { callers in
            callers.withLine(of: lane.caller) { line in line.firstIndex(where: isMeant).map { line.remove(at: $0) } }
        }
        if removed != nil { count -= 1 }
        return removed
    }
}

extension Turns: Sendable where Element: Sendable {}

/// A member of a ``Rotation``.
private protocol Line {
    init()
    var isEmpty: Bool { get }
}

extension Deque: Line {}

/// Lines that take turns.
///
/// Empty lines are removed.
private struct Rotation<Member: Line>: Line {
    private var lines: [String: Member] = [:]
    /// The names of the lines, next one first.
    private var order: Deque<String> = []

    var isEmpty: Bool { lines.isEmpty }

    /// Changes the line with this name.
    ///
    /// A new line takes its turn after the others.
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

    /// Changes the next line, and moves it to the end; nil: there are no lines.
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
