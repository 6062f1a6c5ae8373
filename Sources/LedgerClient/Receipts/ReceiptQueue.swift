public import Foundation

/// The receipts that an app has to present, stored in a file until they are decided.
///
/// An app can crash between the payment and the credit. So the queue writes a receipt to disk before it presents it,
/// and the app presents the remaining receipts when it starts:
///
/// ```swift
/// let queue = ReceiptQueue(file: support.appendingPathComponent("receipts.json"), client: client)
/// for presented in try await queue.drain(for: user) { … }              // when the app has started
/// let outcome = try await queue.present(receipt, for: user)          // when the payment window has closed
/// ```
///
/// The presenter of a receipt gets its coins. So the queue stores each receipt with its user and presents it only for
/// that user; the client's token provider must return that user's tokens.
///
/// Use one queue per file, in one process at a time.
public actor ReceiptQueue {
    private let file: ReceiptFile
    private let client: LedgerClient
    /// Nil until the file is read.
    private var entries: [ReceiptFile.Entry]?

    /// Unreadable files that were renamed.
    ///
    /// Report them, because they can contain receipts.
    public private(set) var setAside: [URL] = []

    /// Creates a queue with a file.
    ///
    /// - Parameters:
    ///   - file: the file; its directory must exist and be permanent, such as Application Support.
    ///   - client: the client that presents receipts.
    public init(file: URL, client: LedgerClient) {
        self.file = ReceiptFile(url: file)
        self.client = client
    }

    /// The user's undecided receipts, oldest first.
    public func waiting(for user: String) throws -> [ReceiptRequest] {
        try load().filter { $0.user == user }.map(\.receipt)
    }

    /// Stores a receipt.
    ///
    /// When it returns, the receipt survives a crash of the app and the device.
    ///
    /// With PortOne V2, the payment id is known before the payment, so the receipt can be stored before the window
    /// opens.
    ///
    /// StoreKit signs a transaction anew each time that an app asks for it: the queue keeps the last.
    public func add(_ receipt: ReceiptRequest, for user: String) throws {
        var entries = try load()
        if let index = entries.firstIndex(where: { $0.isOf(receipt, user) }) {
            guard entries[index].receipt != receipt else { return }
            entries[index].receipt = receipt
        } else {
            entries.append(ReceiptFile.Entry(user: user, receipt: receipt, addedAt: Date()))
        }
        try save(entries)
    }

    /// Stores a receipt, presents it, and removes it when it is credited or refused.
    ///
    /// - Throws: the errors of ``LedgerClient/present(_:)``, and Foundation's errors if the file can't be read or
    ///   written.
    public func present(_ receipt: ReceiptRequest, for user: String) async throws -> ReceiptOutcome {
        try add(receipt, for: user)
        do {
            let outcome = try await client.present(receipt)
            if case .credited = outcome { try remove(receipt, of: user) }
            return outcome
        } catch let error as LedgerClientError {
            if error.decidesReceipt(kept: try age(of: receipt, user)) { try remove(receipt, of: user) }
            throw error
        }
    }

    /// A receipt that was presented again, and its result.
    public struct Presented: Sendable {
        /// The receipt.
        public let receipt: ReceiptRequest
        /// The result.
        public let result: Result<ReceiptOutcome, LedgerClientError>
    }

    /// Presents the user's remaining receipts, oldest first, until none is left or the service does not respond.
    ///
    /// Call it after the app has started and the user is logged in, and when the network is back.
    ///
    /// - Returns: the presented receipts; undecided ones stay in the queue.
    /// - Throws: Foundation's errors if the file can't be read or written; `CancellationError`.
    @discardableResult
    public func drain(for user: String) async throws -> [Presented] {
        var presented: [Presented] = []
        for receipt in try waiting(for: user) {
            do {
                presented.append(Presented(receipt: receipt, result: .success(try await present(receipt, for: user))))
            } catch let error as LedgerClientError {
                presented.append(Presented(receipt: receipt, result: .failure(error)))
                // Without a response to this receipt, the next one gets none either.
                if error.problem == nil { break }
            }
        }
        return presented
    }

    private func remove(_ receipt: ReceiptRequest, of user: String) throws {
        try save(try load().filter { !$0.isOf(receipt, user) })
    }

    /// The age of the receipt in the queue, in seconds.
    private func age(of receipt: ReceiptRequest, _ user: String) throws -> TimeInterval {
        let entry = try load().first { $0.isOf(receipt, user) }
        return entry.map { -$0.addedAt.timeIntervalSinceNow } ?? 0
    }

    private func load() throws -> [ReceiptFile.Entry] {
        if let entries { return entries }
        let found = try file.read()
        setAside += found.setAside.map { [$0] } ?? []
        entries = found.entries
        return found.entries
    }

    private func save(_ new: [ReceiptFile.Entry]) throws {
        try file.write(new)
        entries = new
    }
}

extension LedgerClientError {
    /// Whether the error refuses the receipt permanently.
    ///
    /// Errors about the caller or a temporary state do not.
    ///
    /// An unknown payment is not final at once: the gateway can show it late, and a service with another shop's
    /// settings sees no payments of this shop.
    func decidesReceipt(kept age: TimeInterval) -> Bool {
        if problem?.code == .paymentNotFound { return age > Self.patience }
        return decidesReceipt
    }

    /// How long an unknown payment stays in the queue, in seconds.
    private static let patience: TimeInterval = 3 * 86400

    private var decidesReceipt: Bool {
        guard let problem, !problem.retryable, problem.code != .gatewayOff else { return false }
        return [409, 422].contains(problem.status)
            || [.invalidRequest, .missingMember].contains(problem.code)
    }
}

/// The result of a receipt that was not refused.
public enum ReceiptOutcome: Hashable, Sendable {
    /// Credited, now or before.
    case credited(ReceiptBody)
    /// The service keeps the receipt and credits it when the gateway confirms the payment, even if it is never
    /// presented again.
    ///
    /// A purchase in a store's sandbox is not kept: it is credited only when it is presented again. If it is not
    /// ``LedgerWire/WaitingReceiptBody/retryable``, a person decides.
    case waiting(WaitingReceiptBody)

    /// Whether the app may finish the store's transaction, with StoreKit's `finish()`: its coins are booked.
    ///
    /// What is finished earlier, or after an error, is lost if the service does not have it.
    public var mayFinish: Bool {
        if case .credited = self { true } else { false }
    }
}
