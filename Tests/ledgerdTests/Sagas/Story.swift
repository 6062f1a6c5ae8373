import PGVerifier
import TestSupport

@testable import Ledger
@testable import LedgerServer

/// What is walked: which users, payments and faults there are.
struct Story: Sendable {
    enum Change: Hashable, Sendable {
        case pay, fail
        /// A cancellation in the gateway's console.
        case cancel(Int64)
    }

    enum Fault: Hashable, Sendable, CaseIterable {
        /// A process ends between two effects.
        case crash
        /// A commit is not replicated, its caller gets an error, and the standby can become the primary.
        case unconfirmed
        /// A call to the gateway gets no response; a cancellation may be carried out, now or later.
        case timeout
        /// The gateway accepts a cancellation, and carries it out later.
        case acceptance
        /// The gateway refuses a cancellation, and may carry it out nevertheless.
        case refusal
        /// A webhook is lost.
        case loss
        /// A webhook comes twice.
        case duplicate
        /// A process is so slow that the lease of its item ends.
        case stall
    }

    var hasOrder = true
    /// The first status of each payment; all are attempts to pay one order.
    var payments: [ModelGateway.Payment.Status] = [.ready]
    /// Whether the gateway's other API shows the first payment too, as payment ``ModelGateway/twin``.
    var isInBoth = false
    /// The receipts that users present, one request each.
    var presentations: [(user: UserID, payment: Int)] = []
    /// The coins of the refunds that are requested of the first payment's purchase.
    var refunds: [Int64] = []
    /// What happens to a payment at the gateway, each once and in any order.
    var changes: [(payment: Int, change: Change)] = []
    /// Whether the first payment is credited at the start.
    var isCredited = false
    var isSigned = false
    /// Whether time passes, so that the grace for claims ends.
    var hasGrace = false
    /// Whether the gateway can carry out a cancellation long after it was refused.
    var areRefusalsLate = false
    /// Whether the sweep runs when a webhook is lost.
    var sweeps = false
    /// The faults that can happen, and how many at most.
    var faults: Set<Fault> = []
    var mostFaults = 0
}

/// A rule or an order of steps that keeps the books right.
enum Guard: String, CaseIterable, Sendable {
    // Receipts
    case onlyTheGatewaySaysPaid, onePurchasePerPayment, receiptsAreKept, refusedReceiptsAreTakenUpAgain, claims,
        otherNamesAreKnown
    // Answers
    case unknownCommitsAreErrors, readsAreConfirmed
    // Webhooks
    case webhooksAreStored, newsKeepsEventsOpen, theLastTakerDecides, cancelledIsLookedAtAgain
    // Refunds
    case lookUpBeforeRepeat, acceptedIsNotRepeated, underWayIsNotRepeated, oneAsks
    case firstRefusalIsLookedAtAgain, paymentIsReviewedAfterRefusal
    // Claw-backs
    case clawBackComparesTotals, clawBackLeavesPendingRefund, reviewsBeginAgain
}

/// One state of all parts.
struct SagaState: Hashable {
    var database: Unique<ModelDatabase>
    /// What is left after a failover; nil: everything.
    var replica: Unique<ModelDatabase>?
    var gateway: Unique<ModelGateway>
    /// Running processes, in the order of their numbers.
    var processes: [Unique<SagaProcess>]
    /// The answers of callers.
    var answers: Unique<Set<SagaAnswer>>
    /// Bits of what has not happened yet.
    var presentationsLeft: UInt8
    var refundsLeft: UInt8
    var changesLeft: UInt8
    var faultsLeft: UInt8
    var eventsMade: UInt8 = 0
    /// Whether the grace for claims has ended.
    var isLate = false
    /// Whether a webhook was lost.
    var isDeaf = false

    /// Of the parts that most often differ.
    func hash(into hasher: inout Hasher) {
        hasher.combine(database.number)
        hasher.combine(gateway.number)
        hasher.combine(answers.number)
        for process in processes { hasher.combine(process.number) }
        hasher.combine(faultsLeft)
        hasher.combine(replica?.number)
    }
}

/// The answer of a caller, which must stay true.
enum SagaAnswer: Hashable {
    case credited(ModelDatabase.Receipt.Key)
    case receiptKept(ModelDatabase.Receipt.Key)
    case eventStored(payment: Int, id: String?)
    case refundBegun(Int64)
    case refundCompleted(Int64)
    case refundRefused(Int64)
}

/// A request or worker: what it is doing, and what it does after that, innermost last.
struct SagaProcess: Hashable {
    var frames: [Frame]

    indirect enum Frame: Hashable {
        // Sagas
        case receipt(ReceiptRun, ReceiptSaga.Effect)
        case review(ReviewSaga.Effect)
        case refund(PendingRefundKey, RefundSaga.Effect)
        // What surrounds them
        case client
        case retry(ModelDatabase.Taken)
        case decideReceipt(ModelDatabase.Taken, ModelWork)
        /// The waiting receipts of a payment, decided with the gateway's response.
        case decideWaiting([ModelDatabase.Taken], GatewayPayment, any: Bool)
        case event(EventKey)
        case decideEvent(EventKey, ModelWork)
        case refundWork(PendingRefundKey)
        case decideRefund(Int64, ModelWork)
        case beginRefund(Int)
        case answerRefund(Int64)
        case sweep
    }

    /// What a receipt's saga was started with.
    struct ReceiptRun: Hashable {
        let key: ModelDatabase.Receipt.Key
        var keepsWaiting = false
        var answer: GatewayPayment?
    }

    /// An event as the work list returned it.
    struct EventKey: Hashable {
        let number: UInt8
        let attempts: Int64
        let repeats: Int64
        let reason: String
    }

    /// A refund as the work list returned it.
    struct PendingRefundKey: Hashable {
        var askings: Int64 = 0
        var mayBeUnderWay = false
        let id: Int64
        let attempts: Int64
        let reason: String
    }
}

extension UserID {
    /// The buyer.
    static let ann = sure(UserID(rawValue: "ann"))
    /// Somebody else.
    static let bob = sure(UserID(rawValue: "bob"))
}
