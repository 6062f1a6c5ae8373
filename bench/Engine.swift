import Foundation
import Ledger
import LedgerTestSupport
import Logging
import Postgres

/// The engine alone, without HTTP and gateway: the only file of the bench that knows the ledger's acts.
struct Engine {
    /// What the engine is measured at.
    enum Workload: String, CaseIterable, Sendable {
        case purchases
        case spends
        /// A hold and its capture, counted as one.
        case holds
    }

    /// How the connections and batches of a measurement are.
    struct Shape {
        /// Connections that post; nil: as many as the engine has unless told otherwise.
        var writers: Int?
        var batch = 1024
    }

    private let ledger: Ledger
    private let acts: Acts
    private let inFlight: Int

    /// Opens the ledger of a database, performs the acts as fast as it can for some time, and closes it.
    ///
    /// So many acts wait at any time that every batch is full.
    ///
    /// - Parameters:
    ///   - tag: tells the acts' keys from those of other measurements in the same database.
    ///   - users: `user-0` and on; who spends must have coins.
    /// - Returns: acts a second, and what was acknowledged.
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
            // What waits at the end is still full batches: it counts, until the last is answered.
            return (Double(counted) / ((ContinuousClock.now - warm) / .seconds(1)), acknowledged)
        }
    }

    /// Has purchases made, so many in all.
    static func purchase(_ count: Int, in test: TestLedger, users: Int, tag: String) async throws -> Acknowledged {
        try await with(test, Shape(), users: users, tag: tag) { engine in
            try await engine.inLanes { lane, serial in
                guard (serial - 1) * engine.inFlight + lane < count else { return nil }
                return (try await engine.perform(.purchases, lane, serial), counts: true)
            }.acknowledged
        }
    }

    /// Gives every user coins that outlast any measurement.
    static func fortunes(of users: Int, in test: TestLedger) async throws {
        try await with(test, Shape(), users: users, tag: "fortune") { engine in
            _ = try await engine.inLanes { lane, serial in
                let user = (serial - 1) * engine.inFlight + lane
                guard user < users else { return nil }
                return (try await engine.submit(engine.acts.fortune(of: user)), counts: true)
            }
        }
    }

    private static func with<Output>(
        _ test: TestLedger, _ shape: Shape, users: Int, tag: String, _ body: (Engine) async throws -> Output
    ) async throws -> Output {
        var configuration = LedgerConfiguration(database: try PostgresConfiguration(url: test.serviceURL))
        configuration.batchLimit = shape.batch
        if let writers = shape.writers { configuration.writers = writers }
        let ledger = try await Ledger.open(
            configuration, logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        let engine = Engine(
            ledger: ledger, acts: Acts(users: users, tag: tag), inFlight: 2 * shape.batch * configuration.writers)
        do {
            let output = try await body(engine)
            await ledger.close()
            return output
        } catch {
            await ledger.close()
            throw error
        }
    }

    /// Lets every lane do one step after the other, until it returns nil.
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
    /// Does an act once.
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

    private func submit(_ purchase: CreditPurchase) async throws -> Acknowledged {
        _ = try await done(purchase)
        return Acknowledged(purchases: [purchase.payment.merchantUID])
    }

    private func submit(_ act: some KeyedAct) async throws -> Acknowledged {
        _ = try await done(act)
        return Acknowledged(keys: [act.idempotencyKey.text])
    }

    /// Submits an act that must be done.
    private func done<A: Act>(_ act: A) async throws -> A.Success {
        switch try await ledger.submit(act).outcome {
        case .done(let success): return success
        case .refused(let refusal): throw Refused(refusal: refusal)
        }
    }

    private struct Refused: Error {
        let refusal: Refusal
    }
}

/// What many users buy and spend, each act of a payment or key of its own.
private struct Acts: Sendable {
    let users: Int
    let tag: String

    func purchase(_ lane: Int, _ serial: Int) -> CreditPurchase {
        purchase("\(tag)_\(lane)_\(serial)", by: someone, coins: 100)
    }

    func fortune(of user: Int) -> CreditPurchase {
        purchase("\(tag)_\(user)", by: Self.user(user), coins: 1_000_000_000)
    }

    private func purchase(_ name: String, by user: UserID, coins: Int64) -> CreditPurchase {
        guard let price = Price(won: coins * 10), let coins = Coins(coins) else { preconditionFailure("in range") }
        return CreditPurchase(
            user: user,
            payment: PaymentIdentity(
                gateway: "portone-v1", impUID: Self.scattered(name), merchantUID: "order_\(name)"),
            product: "coins_100", price: price, coins: coins, bonusCoins: nil, paidAt: Date())
    }

    /// An `imp_uid` as the gateway makes them: in no order, so that each lies somewhere else in its index.
    private static func scattered(_ name: String) -> String {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return "imp_" + String((hash ^ (hash >> 29)) &* 0xbf58_476d_1ce4_e5b9, radix: 16)
    }

    func spend(_ lane: Int, _ serial: Int) -> Spend {
        Spend(idempotencyKey: key("spend", lane, serial), user: someone, coins: Self.few)
    }

    func hold(_ lane: Int, _ serial: Int) -> PlaceHold {
        PlaceHold(idempotencyKey: key("hold", lane, serial), user: someone, coins: Self.few, timeout: 3600)
    }

    /// The capture of that hold, whole.
    func capture(_ hold: Hold, _ lane: Int, _ serial: Int) -> CaptureHold {
        CaptureHold(idempotencyKey: key("capture", lane, serial), user: hold.user, holdID: hold.id)
    }

    private var someone: UserID { Self.user(Int.random(in: 0..<users)) }

    private static func user(_ number: Int) -> UserID {
        guard let user = UserID(rawValue: "user-\(number)") else { preconditionFailure("a user's id is short") }
        return user
    }

    private static let few: Coins = {
        guard let coins = Coins(3) else { preconditionFailure("three is in range") }
        return coins
    }()

    private func key(_ act: String, _ lane: Int, _ serial: Int) -> CallerKey {
        guard let caller = UserID(rawValue: "bench"),
            let key = CallerKey("\(tag)-\(act)-\(lane)-\(serial)", of: caller)
        else { preconditionFailure("a key is short and printable") }
        return key
    }
}
