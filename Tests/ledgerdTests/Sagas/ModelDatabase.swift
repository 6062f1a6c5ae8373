import Foundation

@testable import Ledger
@testable import LedgerServer

/// The tables that the sagas use.
struct ModelDatabase: Hashable {
    /// The number of the books in the ``ModelLibrary``.
    var books = 0
    var receipts: [Receipt] = []
    var events: [Event] = []
    var refunds: [Refund] = []
    /// Further names of the credited payment.
    var names: Set<Int> = []
    /// Open findings of payments that are not credited.
    var findings: Set<Finding.Kind> = []

    /// When a waiting item can be taken.
    enum Due: Hashable {
        case now
        /// When its worker has ended.
        case leased
        /// After a delay.
        case later(Delay)
    }

    /// The delays that decide something; a walk lets all others end at any time.
    enum Delay: Hashable {
        case any
        /// All credits that were under way have ended.
        case credits
        /// All cancellations that were under way were carried out, or never will be.
        case cancellations
    }

    struct Receipt: Hashable {
        /// The row's key.
        struct Key: Hashable {
            let user: UserID
            let payment: Int

            /// Whether it is a receipt of the payment, under any of its names.
            func isOf(_ payment: Int) -> Bool {
                ModelGateway.place(of: self.payment) == ModelGateway.place(of: payment)
            }
        }

        let key: Key
        let claimedAt: Date
        var isWaiting = true
        var reason: String
        /// How often it was taken, as far as it matters.
        var takes: UInt8 = 0
        var due = Due.later(.any)

        /// Takes the receipt; the number tells who took it last.
        mutating func take() -> Taken {
            takes = (takes + 1) % 4
            due = .leased
            return Taken(key: key, takes: takes)
        }
    }

    /// A receipt as the work list returned it.
    struct Taken: Hashable {
        let key: Receipt.Key
        let takes: UInt8
    }

    struct Event: Hashable {
        /// The row's key, which is never used again.
        let number: UInt8
        let payment: Int
        /// The id of a signed event; nil: unsigned.
        let id: String?
        var isWaiting = true
        var attempts: Int64 = 0
        var reason = "received"
        /// How often news was merged with it.
        var repeats: Int64 = 0
        var due = Due.now
    }

    /// The waiting part of a refund; the books have its status.
    struct Refund: Hashable {
        let id: Int64
        var attempts: Int64 = 0
        var reason = "begun"
        /// How often the gateway was asked to cancel, as far as it matters; 0: never.
        var askings: Int64 = 0
        var due = Due.leased
    }

    /// Whether a worker has one of its rows.
    var hasLeases: Bool {
        receipts.contains { $0.due == .leased } || events.contains { $0.due == .leased }
            || refunds.contains { $0.due == .leased }
    }

    /// Attempts are counted as far as they decide something.
    static let mostAttempts: Int64 = 4
}

/// The statements of the production, as PostgreSQL carries them out.
extension ModelDatabase {
    // WaitingReceipt.keep
    mutating func keep(_ key: Receipt.Key, because reason: String, at now: Date) {
        guard let place = receipts.firstIndex(where: { $0.key == key }) else {
            receipts.append(Receipt(key: key, claimedAt: now, reason: reason))
            return
        }
        let wasWaiting = receipts[place].isWaiting
        receipts[place].isWaiting = true
        receipts[place].reason = reason
        if !wasWaiting {
            receipts[place].due = .later(.any)
        } else if receipts[place].due == .leased {
            // The earlier time counts, and the new one can be before the end of the lease.
            receipts[place].due = .later(.any)
        }
    }

    // WaitingReceipt.claim
    mutating func claim(_ key: Receipt.Key, at now: Date) {
        guard !receipts.contains(where: { $0.key == key }) else { return }
        receipts.append(Receipt(key: key, claimedAt: now, isWaiting: false, reason: "claimed_by_several"))
    }

    // WaitingReceipt.takeUpAgain
    mutating func takeUpAgain(_ payment: Int) -> Bool {
        let places = receipts.indices.filter { receipts[$0].key.payment == payment }
        guard Set(places.map { receipts[$0].key.user }).count == 1, let place = places.first else { return false }
        let ended = ["payment_failed", "payment_not_found"]
        guard !receipts[place].isWaiting, ended.contains(receipts[place].reason) else { return false }
        receipts[place].isWaiting = true
        receipts[place].reason = "paid_after_all"
        receipts[place].due = .now
        return true
    }

    // WaitingReceipt.take
    mutating func take(of payment: Int) -> [Taken] {
        let places = receipts.indices.filter { receipts[$0].key.payment == payment && receipts[$0].isWaiting }
        return places.map { receipts[$0].take() }
    }

    // WaitingReceipt.expedite
    mutating func expedite(ofOtherNamesOf payment: Int) -> Bool {
        let isTwin = payment == ModelGateway.twin
        let places = receipts.indices.filter {
            receipts[$0].isWaiting && (receipts[$0].key.payment == ModelGateway.twin) != isTwin
        }
        for place in places {
            _ = receipts[place].take()
            receipts[place].due = .now
        }
        return !places.isEmpty
    }

    // WebhookRecord.insertUnsigned: merged with a waiting event of the payment.
    mutating func storeUnsigned(_ payment: Int, as number: UInt8) {
        if let place = events.firstIndex(where: { $0.payment == payment && $0.id == nil && $0.isWaiting }) {
            events[place].attempts = 0
            events[place].repeats += 1
            events[place].reason = "received"
            events[place].due = .now
        } else {
            events.append(Event(number: number, payment: payment, id: nil))
        }
    }

    // WebhookRecord.insertSigned: returns whether it is new.
    mutating func storeSigned(_ payment: Int, id: String, as number: UInt8) -> Bool {
        guard !events.contains(where: { $0.id == id }) else { return false }
        events.append(Event(number: number, payment: payment, id: id))
        return true
    }

    // PendingRefund.askingBegins: nil if somebody else has asked meanwhile.
    mutating func beginAsking(_ id: Int64, after known: Int64, comparing compares: Bool) -> Int64? {
        guard let place = refunds.firstIndex(where: { $0.id == id && ($0.askings == known || !compares) }) else {
            return nil
        }
        // Times of different requests differ.
        refunds[place].askings = refunds[place].askings % 4 + 1
        return refunds[place].askings
    }

    // Refunds.wasNotAsked
    mutating func withdraw(_ id: Int64, _ asking: Int64) {
        for place in refunds.indices where refunds[place].id == id && refunds[place].askings == asking {
            refunds[place].askings = 0
        }
    }

    // Refunds.expedite
    mutating func expedite(_ id: Int64) {
        for place in refunds.indices where refunds[place].id == id { refunds[place].due = .now }
    }
}

/// The result of an attempt, as the work list stores it.
enum ModelWork: Hashable {
    case decided(String)
    case recorded
    /// Nil: the item keeps its reason.
    case postponed(ModelDatabase.Delay, String?)

    init<Decision: Sendable>(_ outcome: WorkOutcome<Decision>) {
        switch outcome {
        case .decided(_, let reason): self = .decided(reason)
        case .recorded: self = .recorded
        case .postponed(let delay, let reason): self = .postponed(Self.meaning(of: delay, reason), reason)
        }
    }

    /// A delay that is too short for its reason decides nothing.
    private static func meaning(of delay: Duration, _ reason: String?) -> ModelDatabase.Delay {
        switch reason?.split(separator: " ").first {
        // A request to the gateway and a commit take less.
        case "cancelled_look_again" where delay >= .seconds(60): .credits
        // A cancellation that was refused was carried out after 14 s.
        case "cancellation_refused" where delay >= .seconds(15): .cancellations
        default: .any
        }
    }
}

extension ModelDatabase.Due {
    /// News that came meanwhile make an item due at once, for the reason that it had.
    ///
    /// - Returns: whether the item waits.
    mutating func postpone(_ delay: ModelDatabase.Delay) -> Bool {
        guard self != .now else { return false }
        self = .later(delay)
        return true
    }
}
