import Foundation
import Postgres
import TestSupport

@testable import Ledger

extension UserID {
    static func named(_ name: String) -> UserID { sure(UserID(rawValue: name)) }
}

extension CreditPurchase {
    /// The purchase with this number: 100 coins and, unless told otherwise, 10 more for ₩1,000.
    static func sample(
        _ number: Int = 1, by buyer: String = "ann", impUID: String? = nil, merchantUID: String? = nil,
        coins: Int64 = 100, bonus: Int64 = 10, won: Int64 = 1000
    ) -> CreditPurchase {
        CreditPurchase(
            user: .named(buyer),
            payment: PaymentIdentity(
                gateway: "portone-v1", impUID: impUID ?? "imp_\(number)", merchantUID: merchantUID ?? "order_\(number)"),
            product: "coins_100", price: sure(Price(won: won)), coins: sure(Coins(coins)), bonusCoins: Coins(bonus),
            paidAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)))
    }
}

extension Grant {
    /// The grant under this key: 5 coins, unless told otherwise.
    static func sample(_ key: String = "key-1", to owner: String = "ann", coins: Int64 = 5) -> Grant {
        Grant(
            idempotencyKey: sure(IdempotencyKey(rawValue: key)), user: .named(owner), coins: sure(Coins(coins)),
            reason: "welcome")
    }
}

extension Outcome {
    var credited: Credited? { if case .credited(let credited) = self { credited } else { nil } }
    var granted: Granted? { if case .granted(let granted) = self { granted } else { nil } }
    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

extension Result where Success == Outcome, Failure == LedgerError {
    var outcome: Outcome? { try? get() }
    var failure: LedgerError? { if case .failure(let error) = self { error } else { nil } }
}

extension Ledger {
    func credit(_ purchase: CreditPurchase) async throws -> Outcome { try await submit(.creditPurchase(purchase)) }

    /// What submitting comes to, error or not.
    func result(_ command: Command) async -> Result<Outcome, LedgerError> {
        do throws(LedgerError) {
            return .success(try await submit(command))
        } catch {
            return .failure(error)
        }
    }
}

/// Runs the operations at the same time and returns what each came to, in their order.
func together<Output: Sendable>(
    _ count: Int, _ operation: @Sendable @escaping (Int) async throws -> Output
) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        for index in 0..<count { group.addTask { (index, try await operation(index)) } }
        var outputs: [Int: Output] = [:]
        for try await (index, output) in group { outputs[index] = output }
        return (0..<count).compactMap { outputs[$0] }
    }
}
