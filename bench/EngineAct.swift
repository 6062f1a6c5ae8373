import Foundation
import Ledger

/// What the engine is measured at.
enum EngineAct: String, CaseIterable, Sendable {
    case purchases
    case spends
    /// A hold and its capture, counted as one.
    case holds

    /// Whether the users must have coins before.
    var needsCoins: Bool { self != .purchases }

    /// Does it once.
    func perform(on ledger: Ledger, _ source: PurchaseSource, lane: Int, serial: Int) async throws {
        switch self {
        case .purchases:
            _ = try await ledger.submit(.creditPurchase(source.purchase(lane: lane, serial: serial)))
        case .spends:
            let answer = try await ledger.submit(.spend(source.spend(lane: lane, serial: serial)))
            guard case .spent = answer.outcome else { throw WentWrong(answer.outcome) }
        case .holds:
            let placed = try await ledger.submit(.placeHold(source.hold(lane: lane, serial: serial)))
            guard case .holdPlaced(let hold) = placed.outcome else { throw WentWrong(placed.outcome) }
            let captured = try await ledger.submit(.captureHold(source.capture(hold.hold, lane: lane, serial: serial)))
            guard case .holdCaptured = captured.outcome else { throw WentWrong(captured.outcome) }
        }
    }

    private struct WentWrong: Error {
        let outcome: Outcome
        init(_ outcome: Outcome) { self.outcome = outcome }
    }
}
