import Foundation
import Ledger
import LedgerTestSupport
import Logging
import Postgres
import Synchronization

/// The engine without HTTP and gateway.
///
/// Only this file and `Engine+Prepared.swift` use the ledger's acts.
struct Engine {
    /// The acts that are measured.
    enum Workload: String, CaseIterable, Sendable {
        case purchases
        case spends
        /// A hold and its capture, counted as one act.
        case holds
    }

    /// The connections and batches of a measurement.
    struct Shape {
        /// Connections that post; nil: the engine's default.
        var writers: Int?
        var batch = 1024
        /// Whether VAT is booked; if so, the acts are of other users, whose coins were bought so.
        var booksVAT = false
    }

    let ledger: Ledger
    let acts: Acts
    private let inFlight: Int

    /// Opens the ledger of a database, performs acts as fast as possible for some time, and closes the ledger.
    ///
    /// Enough acts wait at any time to fill every batch.
    ///
    /// - Parameters:
    ///   - tag: makes the acts' keys different from those of other measurements in the same database.
    ///   - users: the number of users, `user-0` and so on. For spends they must have coins.
    /// - Returns: acts per second, and the acknowledged acts.
    static func measure(
        _ act: Workload, in test: TestLedger, _ shape: Shape, users: Int, tag: String, _ scale: Scale
    ) async throws -> (rate: Double, acknowledged: Acknowledged) {
        try await with(test, shape, users: users, tag: tag) { engine in
            let warm = ContinuousClock.now + .seconds(scale.warmUp)
            let end = warm + .seconds(scale.seconds)
            let (counted, acknowledged) = try await engine.inLanes { lane, serial in
                guard ContinuousClock.now < end else { return nil }
                return (try await engine.perform(act, lane, serial), counts: ContinuousClock.now >= warm)
            }
            // The acts that wait at the end still form full batches, so they count, and the time ends with the last
            // answer.
            return (Double(counted) / ((ContinuousClock.now - warm) / .seconds(1)), acknowledged)
        }
    }

    /// Makes `count` purchases.
    static func purchase(_ count: Int, in test: TestLedger, users: Int, tag: String) async throws -> Acknowledged {
        try await with(test, Shape(), users: users, tag: tag) { engine in
            try await engine.inLanes { lane, serial in
                guard (serial - 1) * engine.inFlight + lane < count else { return nil }
                return (try await engine.perform(.purchases, lane, serial), counts: true)
            }.acknowledged
        }
    }

    /// Performs so many acts as fast as possible.
    ///
    /// - Parameter act: performs the act with this number, and returns what it made.
    /// - Returns: what was made, acts per second, and the acknowledged acts.
    static func perform<Made: Sendable>(
        _ count: Int, in test: TestLedger, _ shape: Shape, users: Int, tag: String,
        _ act: @escaping @Sendable (Engine, Int) async throws -> (Made, Acknowledged)
    ) async throws -> (made: [Made], rate: Double, acknowledged: Acknowledged) {
        try await with(test, shape, users: users, tag: tag) { engine in
            let made = Mutex<[Made]>([])
            let start = ContinuousClock.now
            let acknowledged = try await engine.inLanes { lane, serial in
                let number = (serial - 1) * engine.inFlight + lane
                guard number < count else { return nil }
                let (one, acknowledged) = try await act(engine, number)
                made.withLock { $0.append(one) }
                return (acknowledged, counts: true)
            }.acknowledged
            let rate = Double(count) / ((ContinuousClock.now - start) / .seconds(1))
            return (made.withLock { $0 }, rate, acknowledged)
        }
    }

    /// Gives every user more coins than any measurement spends.
    static func fortunes(of users: Int, in test: TestLedger, _ shape: Shape = Shape()) async throws {
        try await with(test, shape, users: users, tag: "fortune \(shape.booksVAT)") { engine in
            _ = try await engine.inLanes { lane, serial in
                let user = (serial - 1) * engine.inFlight + lane
                guard user < users else { return nil }
                return (try await engine.submit(engine.acts.fortune(of: user)), counts: true)
            }
        }
    }

    static func with<Output>(
        _ test: TestLedger, _ shape: Shape, users: Int, tag: String, _ body: (Engine) async throws -> Output
    ) async throws -> Output {
        var configuration = LedgerConfiguration(database: try PostgresConfiguration(url: test.serviceURL))
        configuration.batchLimit = shape.batch
        configuration.vatSettings = VATSettings(isBooked: shape.booksVAT)
        if let writers = shape.writers { configuration.writers = writers }
        let ledger = try await Ledger.open(
            configuration, logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        let engine = Engine(
            ledger: ledger, acts: Acts(users: users, people: shape.booksVAT ? "taxed" : "user", tag: tag),
            inFlight: 2 * shape.batch * configuration.writers)
        do {
            let output = try await body(engine)
            await ledger.close()
            return output
        } catch {
            await ledger.close()
            throw error
        }
    }

    /// Runs all lanes.
    ///
    /// Each lane runs steps one after the other until a step returns nil.
    private func inLanes(
        _ step: @escaping @Sendable (_ lane: Int, _ serial: Int) async throws -> (Acknowledged, counts: Bool)?
    ) async throws -> (counted: Int, acknowledged: Acknowledged) {
        try await withThrowingTaskGroup(of: (Int, Acknowledged).self) { group in
            for lane in 0..<inFlight {
                group.addTask {
                    var sum = (0, Acknowledged())
                    var serial = 1
                    while let (done, counts) = try await step(lane, serial) {
                        sum.0 += counts ? 1 : 0
                        sum.1 += done
                        serial += 1
                    }
                    return sum
                }
            }
            var all = (0, Acknowledged())
            for try await (counted, acknowledged) in group {
                all.0 += counted
                all.1 += acknowledged
            }
            return all
        }
    }
}

extension Engine {
    private func perform(_ act: Workload, _ lane: Int, _ serial: Int) async throws -> Acknowledged {
        switch act {
        case .purchases:
            return try await submit(acts.purchase(lane, serial))
        case .spends:
            return try await submit(acts.spend(lane, serial))
        case .holds:
            let hold = acts.hold(lane, serial)
            let made = try await done(hold)
            return try await submit(acts.capture(made.hold, lane, serial))
                + Acknowledged(keys: [hold.idempotencyKey.text])
        }
    }

    func submit(_ purchase: CreditPurchase) async throws -> Acknowledged {
        _ = try await done(purchase)
        return Acknowledged(purchases: [purchase.payment.merchantUID])
    }

    private func submit(_ act: some KeyedAct) async throws -> Acknowledged {
        _ = try await done(act)
        return Acknowledged(keys: [act.idempotencyKey.text])
    }

    /// Submits an act.
    ///
    /// Throws if it is refused.
    func done<A: Act>(_ act: A) async throws -> A.Success {
        switch try await ledger.submit(act).outcome {
        case .done(let success): return success
        case .refused(let refusal): throw Refused(refusal: refusal)
        }
    }

    private struct Refused: Error {
        let refusal: Refusal
    }
}

/// Makes acts for random users.
///
/// Each act has its own payment or key.
struct Acts: Sendable {
    let users: Int
    /// The beginning of the users' names.
    var people = "user"
    let tag: String

    func purchase(_ lane: Int, _ serial: Int) -> CreditPurchase {
        purchase("\(tag)_\(lane)_\(serial)", by: someone, coins: 100)
    }

    func fortune(of user: Int) -> CreditPurchase {
        purchase("\(tag)_\(user)", by: self.user(user), coins: 1_000_000_000)
    }

    /// One coin for the only user.
    func lot(_ number: Int) -> CreditPurchase { purchase("\(tag)_\(number)", by: user(0), coins: 1) }

    private func purchase(_ name: String, by user: UserID, coins: Int64) -> CreditPurchase {
        guard let price = Price(won: coins * 10), let coins = Coins(coins) else { preconditionFailure("in range") }
        return CreditPurchase(
            user: user,
            payment: PaymentIdentity(
                gateway: "portone-v1", paymentID: Self.scattered(name), merchantUID: "order_\(name)"),
            product: "coins_100", price: price, coins: coins, bonusCoins: nil, paidAt: Date())
    }

    /// An `imp_uid` in random order, as the gateway makes them, so that each is at another place in the index.
    private static func scattered(_ name: String) -> String {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return "imp_" + String((hash ^ (hash >> 29)) &* 0xbf58_476d_1ce4_e5b9, radix: 16)
    }

    func spend(_ lane: Int, _ serial: Int) -> Spend {
        Spend(idempotencyKey: key("spend", lane, serial), user: someone, coins: Self.few)
    }

    /// A spend of so many coins of the only user.
    func spend(_ coins: Coins, _ serial: Int) -> Spend {
        Spend(idempotencyKey: key("big spend", 0, serial), user: user(0), coins: coins)
    }

    func hold(_ lane: Int, _ serial: Int) -> PlaceHold {
        PlaceHold(idempotencyKey: key("hold", lane, serial), user: someone, coins: Self.few, timeout: 3600)
    }

    /// The capture of the whole hold.
    func capture(_ hold: Hold, _ lane: Int, _ serial: Int) -> CaptureHold {
        CaptureHold(idempotencyKey: key("capture", lane, serial), user: hold.user, holdID: hold.id)
    }

    private var someone: UserID { user(Int.random(in: 0..<users)) }

    private func user(_ number: Int) -> UserID {
        guard let user = UserID(rawValue: "\(people)-\(number)") else { preconditionFailure("a user id is valid") }
        return user
    }

    private static let few: Coins = {
        guard let coins = Coins(3) else { preconditionFailure("three is in range") }
        return coins
    }()

    func key(_ act: String, _ lane: Int, _ serial: Int) -> CallerKey {
        guard let caller = UserID(rawValue: "bench"),
            let key = CallerKey("\(tag)-\(act)-\(lane)-\(serial)", of: caller)
        else { preconditionFailure("a key is valid") }
        return key
    }
}
