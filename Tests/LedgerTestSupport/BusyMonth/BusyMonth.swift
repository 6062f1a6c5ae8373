package import Foundation
package import Ledger
import TestSupport

/// November 2026 in a shop where much happens, the same for the same seed.
///
/// Customers buy, are given, spend, have coins set aside, and ask for their money back, all at the same time, four times a
/// day; each night what is due expires, and each day the gateway pays out. What happens on a day is recorded on that day,
/// by the ``TestClock`` that is handed in.
package struct BusyMonth: Sendable {
    private static let hours = [10, 14, 18, 22]
    /// The month as an export's options name it.
    package static let period = (from: "2026-11-01", to: "2026-12-01", zone: "Asia/Seoul")

    private var customers: [MonthCustomer]
    private var house = MonthTally()
    /// The place of the customer whose turn is next.
    private var next = 0

    /// A month in which nothing has happened yet.
    package init(seed: UInt64, customers: Int) {
        self.customers = (0..<customers).map { MonthCustomer(number: $0, seed: seed) }
    }

    /// What has happened.
    package var tally: MonthTally { customers.reduce(into: house) { $0.add($1.tally) } }

    /// The moment at which the first thing happens.
    package static var dawn: Date { sure(MonthDay.all.first).midnight }

    /// Has so many things happen over the month; what the ledger refuses does not count.
    ///
    /// - Parameter afterFirstHour: called when the first hour in which things happen is over.
    package mutating func pass(
        acts: Int, in ledger: Ledger, _ clock: TestClock, afterFirstHour: () async throws -> Void = {}
    ) async throws {
        let slots = MonthDay.all.count * Self.hours.count
        var slot = 0
        for day in MonthDay.all {
            try await clock.set(to: day.at(hour: 4))
            try await expire(in: ledger)
            try await payOut(on: day, in: ledger)
            for hour in Self.hours {
                slot += 1
                try await clock.set(to: day.at(hour: hour))
                try await act(acts * slot / slots - tally.total, at: day.at(hour: hour), in: ledger)
                if slot == 1 { try await afterFirstHour() }
            }
        }
    }

    /// All customers whose turn it is at the same time, each one thing after the other.
    private mutating func act(_ acts: Int, at time: Date, in ledger: Ledger) async throws {
        let shares = shares(of: acts)
        customers = try await withThrowingTaskGroup(of: (Int, MonthCustomer).self) { group in
            for (place, customer) in customers.enumerated() {
                group.addTask {
                    var customer = customer
                    try await customer.act(shares[place], from: time, in: ledger)
                    return (place, customer)
                }
            }
            return try await group.reduce(into: customers) { customers, done in customers[done.0] = done.1 }
        }
    }

    /// How many acts each customer does, in turn.
    private mutating func shares(of acts: Int) -> [Int] {
        var shares = customers.map { _ in 0 }
        for _ in 0..<max(0, acts) {
            shares[next] += 1
            next = (next + 1) % customers.count
        }
        return shares
    }

    /// What the service's sweep does.
    private mutating func expire(in ledger: Ledger) async throws {
        while case let due = try await ledger.holds.listDue(limit: 1024), !due.isEmpty {
            let commands = due.map { ExpireHold(user: $0.user, holdID: $0.id) }
            house.count(.holdExpiry, try await ledger.submit(commands))
        }
        while case let due = try await ledger.lots.listDue(limit: 1024), !due.isEmpty {
            let commands = due.map { ExpireLot(user: $0.user, lotID: $0.id) }
            house.count(.lotExpiry, try await ledger.submit(commands))
        }
    }

    private mutating func payOut(on day: MonthDay, in ledger: Ledger) async throws {
        let payouts = customers.indices.flatMap { customers[$0].payouts(on: day) }
        guard !payouts.isEmpty else { return }
        let report = try await ledger.settlements.book(.of(payouts, named: "\(day.name).csv"), by: "finance")
        house.count(.settlement, Int(report.settledNow))
    }
}

extension Ledger {
    /// Submits acts together, so that they share batches.
    ///
    /// - Returns: how many did something.
    fileprivate func submit(_ acts: [some Act]) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for act in acts { group.addTask { try await !self.submit(act).isRepeat } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
