import Ledger
import TestSupport
import Testing
import WireFormats

@testable import LedgerServer

/// What is stored of a proposal is read as its order or not at all, also what was stored by hand: nothing of it ends the process.
@Suite(.timeLimit(.minutes(20))) struct StoredOrderTests {
    /// Numbers that no act can move.
    private static let numbers: [Int64] = [0, -1, .min, .max, Coins.most + 1]

    @Test func `an order is read as it was stored`() {
        for order in ProposalDescriberTests.orders {
            let stored = ProposalDescriberTests.stored.filter { order.parameters.keys.contains($0.key) }
            #expect(order.parameters == stored, "\(type(of: order).act)")
            let read = type(of: order).init(.object(order.parameters), account: nil)
            #expect(read?.parameters == order.parameters, "\(type(of: order).act)")
        }
    }

    /// Proposals of earlier versions wait for their second person.
    @Test func `orders are stored as they always were, and about the same`() throws {
        let lines = ProposalDescriberTests.orders.flatMap { order in
            let act = type(of: order).act.rawValue
            return ["\(act) about \(order.target(of: nil).prefix { $0 != ":" })"]
                + order.parameters.map { name, value in
                    "\(act) \(name): \(value.integer != nil ? "number" : value.text != nil ? "text" : "flag")"
                }
        }
        try Golden.expect(lines.sorted(), in: "orders.txt")
    }

    @Test func `coins that no act can move are no order, and never one of all coins`() {
        for order in ProposalDescriberTests.orders where order.parameters["coins"] != nil {
            for coins in Self.numbers.map(JSON.integer) + [.null, .string("5"), .number("1.5")] {
                let stored = JSON.object(order.parameters.merging(["coins": coins]) { $1 })
                #expect(type(of: order).init(stored, account: nil) == nil, "\(type(of: order).act): \(coins)")
            }
        }
    }

    @Test func `any number in any member is read without a fault`() {
        for order in ProposalDescriberTests.orders {
            for (name, number) in order.parameters.keys.flatMap({ name in Self.numbers.map { (name, $0) } }) {
                for value in [JSON.integer(number), .string("\(number)")] {
                    let stored = JSON.object(order.parameters.merging([name: value]) { $1 })
                    guard let read = type(of: order).init(stored, account: nil) else { continue }
                    #expect(Set(read.parameters.keys).isSubset(of: order.parameters.keys), "\(name): \(value)")
                    _ = read.target(of: nil)
                }
            }
        }
    }
}
