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
            _ = try await ledger.submit(source.purchase(lane: lane, serial: serial))
        case .spends:
            let answer = try await ledger.submit(source.spend(lane: lane, serial: serial))
            guard case .done = answer.outcome else { throw Refused(answer.refusal) }
        case .holds:
            let placed = try await ledger.submit(source.hold(lane: lane, serial: serial))
            guard case .done(let hold) = placed.outcome else { throw Refused(placed.refusal) }
            let captured = try await ledger.submit(source.capture(hold.hold, lane: lane, serial: serial))
            guard case .done = captured.outcome else { throw Refused(captured.refusal) }
        }
    }

    private struct Refused: Error {
        let refusal: Refusal?
        init(_ refusal: Refusal?) { self.refusal = refusal }
    }
}
