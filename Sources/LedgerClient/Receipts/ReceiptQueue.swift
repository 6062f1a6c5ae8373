public import Foundation

/// The receipts that an app has to present, kept in a file until each is decided.
///
/// A phone may die between the payment and its receipt's being credited. So a receipt is written down before it is
/// presented, and the app presents what is left when it starts:
///
/// ```swift
/// let queue = ReceiptQueue(file: support.appendingPathComponent("receipts.json"), client: client)
/// for presented in try await queue.drain(for: user) { … }              // when the app has started
/// let outcome = try await queue.present(receipt, for: user)          // when the payment window has closed
/// ```
///
/// Whoever presents a receipt gets its coins. So each is kept with the user who paid, and is presented only while that
/// user is logged in; the client's token provider must give that user's tokens.
///
/// There is one queue for a file, in one process at a time.
public actor ReceiptQueue {
    private let file: ReceiptFile
    private let client: LedgerClient
    /// Nil until the file was read.
    private var entries: [ReceiptFile.Entry]?

    /// Files that could not be understood, put aside under names of their own: report them, for they may hold receipts.
    public private(set) var setAside: [URL] = []

    /// Keeps receipts in a file.
    ///
    /// - Parameters:
    ///   - file: where; its directory must exist and be kept by the system, such as Application Support.
    ///   - client: what presents them.
    public init(file: URL, client: LedgerClient) {
        self.file = ReceiptFile(url: file)
        self.client = client
    }

    /// The receipts of a user that are not decided yet, oldest first.
    public func waiting(for user: String) throws -> [ReceiptRequest] {
        try load().filter { $0.user == user }.map(\.receipt)
    }

    /// Writes a receipt down; when it returns, the receipt outlives the app and the phone.
    ///
    /// Through PortOne V2 the payment's id is known before the payment, and can be written down before the window opens.
    public func add(_ receipt: ReceiptRequest, for user: String) throws {
        let entries = try load()
        guard !entries.contains(where: { $0.isOf(receipt, user) }) else { return }
        try save(entries + [ReceiptFile.Entry(user: user, receipt: receipt, addedAt: Date())])
    }

    /// Writes a receipt down, presents it, and strikes it off when it is credited or refused.
    ///
    /// - Throws: what ``LedgerClient/present(_:)`` throws, and Foundation's errors when the file can't be read or
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

    /// A receipt that was presented again, and what became of it.
    public struct Presented: Sendable {
        /// The receipt.
        public let receipt: ReceiptRequest
        /// What became of it.
        public let result: Result<ReceiptOutcome, LedgerClientError>
    }

    /// Presents all that is left of a user's, oldest first, until nothing is left or the service does not answer.
    ///
    /// Call it when the app has started with the user logged in, and when the network is back.
    ///
    /// - Returns: what was presented; what is not decided stays in the queue.
    /// - Throws: Foundation's errors when the file can't be read or written; `CancellationError`.
    @discardableResult
    public func drain(for user: String) async throws -> [Presented] {
        var presented: [Presented] = []
        for receipt in try waiting(for: user) {
            do {
                presented.append(Presented(receipt: receipt, result: .success(try await present(receipt, for: user))))
            } catch let error as LedgerClientError {
                presented.append(Presented(receipt: receipt, result: .failure(error)))
                // No answer to this one means none to the next.
                if error.problem == nil { break }
            }
        }
        return presented
    }

    private func remove(_ receipt: ReceiptRequest, of user: String) throws {
        try save(try load().filter { !$0.isOf(receipt, user) })
    }

    /// For how many seconds the receipt has been in the queue.
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
    /// Whether it says of a receipt that it is refused for good, and not of the caller, the request or the moment.
    ///
    /// That the gateway knows no such payment is not for good at once: it may show a payment late, and a service that was
    /// set up for another shop sees none of this one's.
    func decidesReceipt(kept age: TimeInterval) -> Bool {
        if problem?.code == .paymentNotFound { return age > Self.patience }
        return decidesReceipt
    }

    /// How long a payment that nobody knows of is asked about, in seconds.
    private static let patience: TimeInterval = 3 * 86400

    private var decidesReceipt: Bool {
        guard let problem, !problem.retryable, problem.code != .gatewayOff else { return false }
        return [409, 422].contains(problem.status)
            || [.invalidRequest, .missingMember].contains(problem.code)
    }
}

/// What became of a receipt that was not refused.
public enum ReceiptOutcome: Hashable, Sendable {
    /// It is a purchase, now or since before.
    case credited(ReceiptBody)
    /// It is kept by the service, and credited when the gateway confirms it, whether or not it is presented again.
    case waiting(WaitingReceiptBody)
}
