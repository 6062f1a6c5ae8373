import Foundation
import LedgerClient

// docs/store-apps.md shows the rest of this file as an app has it; a test compares them.

/// Sells coins in the App Store to the user who is logged in.
@MainActor final class CoinStore {
    private let client: LedgerClient
    private let queue: ReceiptQueue
    private let user: String
    private let show: @MainActor (BalanceBody) -> Void
    private let tell: @MainActor (String) -> Void

    /// - Parameter user: `sub` of the tokens that the client sends.
    init(
        client: LedgerClient, queue: ReceiptQueue, user: String,
        show: @escaping @MainActor (BalanceBody) -> Void, tell: @escaping @MainActor (String) -> Void
    ) {
        self.client = client
        self.queue = queue
        self.user = user
        self.show = show
        self.tell = tell
    }

    /// Presents what an earlier run left, and then each purchase that comes.
    ///
    /// A parent may have approved it, or another device made it. Run it in a task from log-in to log-out.
    func follow() async {
        async let updates: Void = present(all: Transaction.updates)
        _ = try? await queue.drain(for: user)
        await present(all: Transaction.unfinished)
        await updates
    }

    /// Buys a product.
    func buy(_ product: Product) async throws {
        let account = try await client.storeAccount()
        guard let token = UUID(uuidString: account.appAccountToken) else { return }
        // Without a result of success, nothing is paid yet: what is paid later comes in `Transaction.updates`.
        if case .success(let result) = try await product.purchase(options: [.appAccountToken(token)]) {
            await present(result)
        }
    }

    private func present(all transactions: Transaction.Transactions) async {
        for await result in transactions { await present(result) }
    }

    /// The service verifies the signature itself, so what the device made of it decides nothing.
    private func present(_ result: VerificationResult<Transaction>) async {
        do {
            let outcome = try await queue.present(.appStore(signedTransaction: result.jwsRepresentation), for: user)
            if outcome.mayFinish { await result.unsafePayloadValue.finish() }
            switch outcome {
            case .credited(let credited): show(credited.balance)
            case .waiting(let waiting): tell(waiting.code)
            }
        } catch {
            // Not finished: it comes again at the next start.
            tell((error as? LedgerClientError)?.code?.rawValue ?? "no_response")
        }
    }
}
