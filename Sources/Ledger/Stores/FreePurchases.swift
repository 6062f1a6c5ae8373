import Crypto
import Foundation
import Postgres

/// Gives, finds and changes purchases in stores that cost nothing.
package struct FreePurchases: Sendable {
    private let pools: Pools
    private let queues: PostingQueues
    private let merges: Merges
    private let counts: GrantCounts

    init(_ pools: Pools, queues: PostingQueues, merges: Merges, counts: GrantCounts) {
        self.pools = pools
        self.queues = queues
        self.merges = merges
        self.counts = counts
    }

    /// The free purchase of this payment, of any user; nil: it gave nothing, or its user was forgotten.
    package func find(of payment: PaymentIdentity) async throws(LedgerError) -> FreePurchase? {
        guard let key = FreePurchase.key(of: payment, step: 0),
            let first = try await recorded(under: [key]).first, let granted = try first.granted()
        else { return nil }
        let keys = (1...FreePurchase.mostSteps).compactMap { FreePurchase.key(of: payment, step: $0) }
        let later = try await recorded(under: keys)
        var (entries, takenBack) = ([granted.journalEntryID], Int64(0))
        for outcome in later {
            if let again = try outcome.granted() {
                entries.append(again.journalEntryID)
                takenBack -= again.coins
            } else {
                takenBack += try outcome.voided()?.coins ?? 0
            }
        }
        let grants = try await grants(entries)
        guard let lot = grants.first?.lot else { return nil }
        return FreePurchase(
            grants: grants, user: try await merges.user(behind: lot.user), takenBack: takenBack, payment: payment,
            steps: later.count)
    }

    /// What is known of a payment that may have given coins.
    package enum Known: Sendable {
        case known(FreePurchase)
        /// It gave coins to a user who was forgotten.
        case forgotten
        case unknown
    }

    /// The free purchase of this payment, also if its user was forgotten.
    package func lookUp(_ payment: PaymentIdentity) async throws(LedgerError) -> Known {
        if let known = try await find(of: payment) { return .known(known) }
        guard let note = Self.note(of: payment), try await counts.isCounted(note) else { return .unknown }
        // It can be given meanwhile.
        return try await find(of: payment).map(Known.known) ?? .forgotten
    }

    private func recorded(under keys: [CallerKey]) async throws(LedgerError) -> [RecordedOutcome] {
        try await reading { try await pools.lookups.run(RecordedOutcome.under(keys)) }
    }

    private func grants(_ entries: [Int64]) async throws(LedgerError) -> [VoidableGrant] {
        try await reading {
            var grants: [VoidableGrant] = []
            for entry in entries { grants += try await pools.lookups.run(Lot.voidable(entry)) }
            return grants
        }
    }

    // MARK: - Giving

    /// The result of giving a free purchase.
    package enum Given: Sendable {
        case given(FreePurchase, isRepeat: Bool)
        /// It was given to a user who was forgotten.
        case toNobody
        case refused(Refusal)
    }

    /// Gives the coins, once for each payment, whoever presents it.
    ///
    /// - Parameter grant: of ``FreePurchase/grant(of:to:_:expiresAt:)``.
    package func give(_ grant: Grant, of payment: PaymentIdentity) async throws(LedgerError) -> Given {
        switch try await lookUp(payment) {
        case .known(let free): return .given(free, isRepeat: true)
        case .forgotten: return .toNobody
        case .unknown: break
        }
        let answer = try await queues.submit(grant)
        // Another attempt has other words or another user, and was first.
        if case .refused(let refusal) = answer.outcome, refusal != .idempotencyKeyReused { return .refused(refusal) }
        guard let given = try await find(of: payment) else { return .toNobody }
        if case .done = answer.outcome { return .given(given, isRepeat: answer.isRepeat) }
        return .given(given, isRepeat: true)
    }

    /// Notes that the payment gave coins, for when its user is forgotten, and with the user the key of the grant.
    package func note(_ payment: PaymentIdentity, on day: String) async throws(LedgerError) {
        guard let note = Self.note(of: payment), let one = Coins(1) else { return }
        _ = try await counts.count(one, under: note, on: day, within: .max)
    }

    /// A hash, because nothing tells later whose payment it was.
    private static func note(of payment: PaymentIdentity) -> CallerKey? {
        UserID(rawValue: payment.gateway + "-free").flatMap {
            CallerKey("given:" + SHA256.hash(data: Data(payment.merchantUID.utf8)).hex, of: $0)
        }
    }

    // MARK: - Changing

    /// What became of a change.
    package enum Changed: Sendable {
        case done
        /// The books have changed since it was found: look again.
        case outdated
        /// The ledger refuses it.
        case refused
    }

    package func make(_ change: FreePurchaseChange) async throws(LedgerError) -> Changed {
        switch change {
        case .takeBack(let act): Changed(try await queues.submit(act))
        case .giveAgain(let act): Changed(try await queues.submit(act))
        }
    }
}

extension FreePurchases.Changed {
    fileprivate init<Success>(_ answer: Answer<Success>) {
        self =
            switch answer.outcome {
            case .done: .done
            case .refused(.exceedsGrant), .refused(.idempotencyKeyReused): .outdated
            case .refused: .refused
            }
    }
}

extension RecordedOutcome {
    /// What was granted; nil: it was refused, or is another act's.
    fileprivate func granted() throws(LedgerError) -> Granted? { try success(of: Grant.self) }

    fileprivate func voided() throws(LedgerError) -> GrantVoided? { try success(of: VoidGrant.self) }

    private func success<A: KeyedAct>(of _: A.Type) throws(LedgerError) -> A.Success? {
        guard act == A.name, case .done(let success) = try outcome(as: A.self) else { return nil }
        return success
    }
}
