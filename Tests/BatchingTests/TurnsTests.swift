import Testing

@testable import Batching

@Suite(.timeLimit(.minutes(20))) struct TurnsTests {
    @Test func `one lane is served in the order in which its elements came`() {
        var turns = Turns<Int>()
        for number in 0..<5 { turns.append(number, in: .common) }
        #expect(emptied(&turns) == [0, 1, 2, 3, 4])
        #expect(turns.isEmpty)
    }

    @Test func `callers of a share take turns, and one that comes late waits for one turn of each`() {
        var turns = Turns<String>()
        for number in 0..<3 { turns.append("a\(number)", in: lane("a")) }
        turns.append("b0", in: lane("b"))
        #expect(turns.popFirst() == "a0")
        turns.append("c0", in: lane("c"))
        #expect(emptied(&turns) == ["b0", "a1", "c0", "a2"])
    }

    @Test func `shares take turns, however many callers each has`() {
        var turns = Turns<String>()
        for caller in ["a", "b", "c"] { turns.append(caller, in: lane(caller)) }
        for number in 0..<2 { turns.append("s\(number)", in: Lane(share: "service")) }
        #expect(emptied(&turns) == ["a", "s0", "b", "s1", "c"])
    }

    @Test func `what is taken out leaves the others their turns, and an empty lane is forgotten`() {
        var turns = Turns<String>()
        for element in ["a0", "a1", "b0"] { turns.append(element, in: lane(String(element.prefix(1)))) }
        #expect(turns.remove(from: lane("b")) { $0 == "b0" } == "b0")
        #expect(turns.remove(from: lane("b")) { $0 == "b0" } == nil)
        #expect(turns.remove(from: Lane(share: "service")) { _ in true } == nil)
        turns.append("b1", in: lane("b"))
        #expect(turns.count == 3)
        #expect(emptied(&turns) == ["a0", "b1", "a1"])
    }

    private func lane(_ caller: String) -> Lane { Lane(share: "users", caller: caller) }

    private func emptied<Element>(_ turns: inout Turns<Element>) -> [Element] {
        var elements: [Element] = []
        while let element = turns.popFirst() { elements.append(element) }
        return elements
    }
}
