import FoundationEssentials
import SandboxSupport

/// The App Store's transactions of one app, in both environments.
actor AppleState {
    /// A page of a list that is read with revisions.
    struct Page: Sendable {
        let transactions: [AppleTransaction]
        /// The place of the last one; the next page begins after it.
        let revision: Int
        let hasMore: Bool
    }

    static let pageSize = 20

    /// An environment can have a transaction with the id of another one's.
    private struct Place: Hashable {
        let id: String
        let environment: AppleEnvironment
    }

    private var transactions: [Place: AppleTransaction] = [:]
    /// The transactions in order of creation.
    private var order: [Place] = []
    private var changes = 0
    /// Whether the app was ever released: the production of one that was not answers 401 to everything.
    private(set) var isReleased = true
    private var mint = AppleIdentifiers()

    func setReleased(_ isReleased: Bool) { self.isReleased = isReleased }

    // MARK: Look-ups

    /// The transaction with this id, in this environment.
    ///
    /// - Throws: ``AppleRefusal`` if there is none, or it is found only later.
    func transaction(_ id: String, in environment: AppleEnvironment) throws(AppleRefusal) -> AppleTransaction {
        try Self.check(id)
        let place = Place(id: id, environment: environment)
        guard var found = transactions[place] else { throw .transactionIDNotFound }
        guard found.lateLookups == 0 else {
            found.lateLookups -= 1
            transactions[place] = found
            throw .notFoundYet
        }
        return found
    }

    /// The customer with this transaction, original transaction or app transaction.
    func customer(of anyID: String, in environment: AppleEnvironment) throws(AppleRefusal) -> String {
        try Self.check(anyID)
        let found = transactions.values.first {
            $0.environment == environment && [$0.id, $0.originalID, $0.appTransactionID].contains(anyID)
        }
        guard let found else { throw .transactionIDNotFound }
        return found.customer
    }

    /// Transactions that `isWanted`, in order of their changes, after the place `revision`.
    func history(
        of customer: String, in environment: AppleEnvironment, after revision: Int?, isDescending: Bool,
        _ isWanted: (AppleTransaction) -> Bool
    ) -> Page {
        let wanted = transactions.values.filter {
            $0.environment == environment && $0.customer == customer && isWanted($0)
        }
        return Self.page(Array(wanted), after: revision, isDescending: isDescending, \.sequence)
    }

    /// Refunds of a customer, the oldest first.
    func refunds(of customer: String, in environment: AppleEnvironment, after revision: Int?) -> Page {
        let refunded = transactions.values.filter {
            $0.environment == environment && $0.customer == customer && $0.revocation != nil
        }
        return Self.page(Array(refunded), after: revision, isDescending: false) { $0.revocation?.sequence ?? 0 }
    }

    /// The transactions of an order.
    func transactions(ofOrder orderID: String, in environment: AppleEnvironment) -> [AppleTransaction] {
        inOrder.filter { $0.orderID == orderID && $0.environment == environment }
    }

    /// Every transaction, the oldest first.
    var inOrder: [AppleTransaction] { order.compactMap { transactions[$0] } }

    private static func check(_ id: String) throws(AppleRefusal) {
        guard (1...20).contains(id.utf8.count), id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .invalidTransactionID
        }
    }

    private static func page(
        _ found: [AppleTransaction], after revision: Int?, isDescending: Bool, _ place: (AppleTransaction) -> Int
    ) -> Page {
        let sorted = found.sorted { isDescending ? place($0) > place($1) : place($0) < place($1) }
        let left = sorted.filter { transaction in
            guard let revision else { return true }
            return isDescending ? place(transaction) < revision : place(transaction) > revision
        }
        let page = Array(left.prefix(pageSize))
        return Page(
            transactions: page, revision: page.last.map(place) ?? revision ?? 0, hasMore: left.count > page.count)
    }

    // MARK: Changes

    /// Makes a purchase.
    ///
    /// - Throws: ``ControlError`` if the transaction id is taken.
    func buy(_ draft: PurchaseDraft, bundleID: String, now: Date) throws(ControlError) -> AppleTransaction {
        let id = draft.transactionID ?? mint.transactionID()
        let made = draft.transaction(id: id, orderID: draft.orderID ?? mint.orderID(), bundleID: bundleID, now: now)
        let place = Place(id: id, environment: made.environment)
        guard transactions[place] == nil else { throw ControlError(.conflict, "transaction_id", "is already taken") }
        order.append(place)
        return keep(made)
    }

    /// Changes a transaction, production's if both environments have one with the id.
    ///
    /// - Throws: what `change` throws, and ``ControlError`` when there is none.
    func change(
        _ id: String, _ change: (inout AppleTransaction, _ sequence: Int) throws(ControlError) -> Void
    ) throws(ControlError) -> AppleTransaction {
        let found = AppleEnvironment.allCases.compactMap { transactions[Place(id: id, environment: $0)] }.first
        guard var transaction = found else { throw ControlError(.notFound, "transaction_id", "isn't known") }
        try change(&transaction, changes + 1)
        return keep(transaction)
    }

    /// Finishes a transaction; the second time has no effect.
    func finish(_ id: String, in environment: AppleEnvironment, now: Date) {
        guard var transaction = transactions[Place(id: id, environment: environment)], transaction.finishedAt == nil
        else { return }
        transaction.finishedAt = now
        _ = keep(transaction)
    }

    /// Keeps what the shop says about the consumption.
    func consume(_ id: String, in environment: AppleEnvironment, _ answer: JSONValue) {
        transactions[Place(id: id, environment: environment)]?.consumption.append(answer)
    }

    /// Sets or replaces the app account token.
    ///
    /// - Throws: ``AppleRefusal`` if the transaction can't have one.
    func setAppAccountToken(
        _ token: String, ofOriginal id: String, in environment: AppleEnvironment
    ) throws(AppleRefusal) {
        try Self.check(id)
        guard var transaction = transactions[Place(id: id, environment: environment)] else {
            throw .originalTransactionIDNotFound
        }
        guard transaction.originalID == id else { throw .notOriginalTransactionID }
        guard !transaction.isFamilyShared else { throw .familyTransaction }
        transaction.appAccountToken = token
        _ = keep(transaction)
    }

    private func keep(_ transaction: AppleTransaction) -> AppleTransaction {
        var transaction = transaction
        changes += 1
        transaction.sequence = changes
        transactions[Place(id: transaction.id, environment: transaction.environment)] = transaction
        return transaction
    }
}

/// Makes ids as Apple's look: by chance, so that they do not repeat after a restart.
struct AppleIdentifiers: Sendable {
    private var generator = SystemRandomNumberGenerator()

    init() {}

    mutating func transactionID() -> String {
        String(UInt64.random(in: 2_000_000_000_000_000...2_999_999_999_999_999, using: &generator))
    }

    mutating func orderID() -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789")
        return "M" + String((0..<9).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }
}
