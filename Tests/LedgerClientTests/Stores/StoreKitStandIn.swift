import EndToEndSupport
import Foundation
import Synchronization

/// A device with StoreKit, as far as ``CoinStore`` uses it: StoreKit exists only on Apple's systems.
final class Device: Sendable {
    /// The one on which the code of a task runs.
    @TaskLocal static var current = Device()

    private let unfinished = Mutex<[VerificationResult<Transaction>]>([])

    /// What the next start finds.
    var rest: [VerificationResult<Transaction>] { unfinished.withLock { $0 } }

    func keep(_ result: VerificationResult<Transaction>) { unfinished.withLock { $0.append(result) } }

    func finish(_ id: String) { unfinished.withLock { $0.removeAll { $0.unsafePayloadValue.id == id } } }
}

struct Transaction: Sendable {
    typealias Transactions = AsyncStream<VerificationResult<Transaction>>

    let id: String

    /// Nothing comes from elsewhere.
    static var updates: Transactions { Transactions { $0.finish() } }

    static var unfinished: Transactions {
        Transactions { continuation in
            for result in Device.current.rest { continuation.yield(result) }
            continuation.finish()
        }
    }

    func finish() async { Device.current.finish(id) }
}

struct VerificationResult<SignedType: Sendable>: Sendable {
    let jwsRepresentation: String
    let unsafePayloadValue: SignedType
}

struct Product {
    enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled, pending
    }

    enum PurchaseOption: Hashable, Sendable { case appAccountToken(UUID) }

    let id: String
    let store: AppStoreSandbox

    func purchase(options: Set<PurchaseOption>) async throws -> PurchaseResult {
        let tokens = options.map { option in
            switch option {
            case .appAccountToken(let token): #", "app_account_token": "\#(token.uuidString.lowercased())""#
            }
        }
        let bought = try await store.buy(product: id, notify: false, tokens.joined())
        let result = VerificationResult(
            jwsRepresentation: bought.signed, unsafePayloadValue: Transaction(id: bought.id))
        Device.current.keep(result)
        return .success(result)
    }
}
