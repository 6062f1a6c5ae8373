import Foundation

/// A system whose parts take turns in any order.
protocol Walkable {
    associatedtype State: Hashable
    /// What happens in one step, for people.
    associatedtype Action: CustomStringConvertible

    var start: State { get }

    /// All possible steps.
    func moves(from state: State) -> [Move<State, Action>]

    /// The rule that a state breaks; nil: none.
    ///
    /// - Parameter isEnd: whether nothing can happen any more.
    func violation(in state: State, isEnd: Bool) -> String?

    /// Whether everything is decided.
    func isSettled(_ state: State) -> Bool
}

/// One step of a system.
struct Move<State, Action> {
    let action: Action
    let state: State
    /// Whether the step is a fault, such as a crash, on which nobody may count.
    var isFault = false
}

/// The result of a walk through all states of a system, breadth first.
struct Walk<System: Walkable> {
    /// A broken rule, with the shortest way to it.
    struct Violation {
        let rule: String
        let path: [String]
    }

    private(set) var violation: Violation?
    private(set) var states = 0
    private(set) var moves = 0
    /// The most steps from the start to a state.
    private(set) var depth = 0
    /// Whether all states were visited.
    private(set) var isComplete = false

    private var found: [(state: System.State, parent: Int, action: System.Action?)] = []
    private var places: [System.State: Int] = [:]
    /// The ends of the steps that are no faults, by state.
    private var next: [[Int32]] = []

    /// Walks until a rule is broken, all states are visited, or `limit` states are found.
    init(_ system: System, limit: Int) {
        explore(system, limit: limit)
        if violation == nil, isComplete { findDeadEnd(system) }
        states = found.count
        found = []
        places = [:]
        next = []
    }

    var description: String {
        "\(states) states, \(moves) steps, depth \(depth), \(isComplete ? "all" : "up to the bound")"
    }

    private mutating func explore(_ system: System, limit: Int) {
        add(system.start, 0, nil)
        var depths = [0]
        var place = 0
        while place < found.count {
            guard found.count <= limit else { return }
            let state = found[place].state
            let moves = system.moves(from: state)
            if let rule = system.violation(in: state, isEnd: moves.allSatisfy { $0.isFault }) {
                violation = Violation(rule: rule, path: path(to: place))
                return
            }
            self.moves += moves.count
            for move in moves {
                let known = places[move.state]
                let target = known ?? add(move.state, place, move.action)
                if known == nil { depths.append(depths[place] + 1) }
                if !move.isFault { next[place].append(Int32(target)) }
            }
            depth = depths[place]
            place += 1
        }
        isComplete = true
    }

    @discardableResult
    private mutating func add(_ state: System.State, _ parent: Int, _ action: System.Action?) -> Int {
        places[state] = found.count
        found.append((state, parent, action))
        next.append([])
        return found.count - 1
    }

    /// From each state, a settled one can be reached without a fault.
    private mutating func findDeadEnd(_ system: System) {
        var before: [[Int32]] = Array(repeating: [], count: found.count)
        for (place, targets) in next.enumerated() { for target in targets { before[Int(target)].append(Int32(place)) } }
        var isAlive = found.map { system.isSettled($0.state) }
        var queue = isAlive.indices.filter { isAlive[$0] }
        while let place = queue.popLast() {
            for origin in before[place] where !isAlive[Int(origin)] {
                isAlive[Int(origin)] = true
                queue.append(Int(origin))
            }
        }
        if let place = isAlive.firstIndex(of: false) {
            violation = Violation(rule: "nothing leads to a settled state any more", path: path(to: place))
        }
    }

    private func path(to place: Int) -> [String] {
        var steps: [String] = []
        var place = place
        while let action = found[place].action {
            steps.append(action.description)
            place = found[place].parent
        }
        return steps.reversed()
    }
}

// MARK: - Values that are stored once

/// A value that is stored once, so that it is compared and hashed by its number.
struct Unique<Value>: Hashable {
    private final class Box {
        let value: Value
        let number: Int
        init(_ value: Value, _ number: Int) { (self.value, self.number) = (value, number) }
    }

    private let box: Box
    var value: Value { box.value }
    var number: Int { box.number }

    fileprivate init(_ value: Value, number: Int) { box = Box(value, number) }

    static func == (left: Self, right: Self) -> Bool { left.box === right.box }
    func hash(into hasher: inout Hasher) { hasher.combine(box.number) }
}

/// Stores each value once.
final class UniqueValues<Value: Hashable> {
    private var known: [Value: Unique<Value>] = [:]

    func callAsFunction(_ value: Value) -> Unique<Value> {
        if let one = known[value] { return one }
        let one = Unique(value, number: known.count)
        known[value] = one
        return one
    }

    /// The stored value, which is most often the one before: values that share their storage are compared sooner than hashed.
    func callAsFunction(_ value: Value, unless before: Unique<Value>) -> Unique<Value> {
        value == before.value ? before : callAsFunction(value)
    }
}
