import Ledger
import LedgerWire

/// What a service sets aside of a user's coins.
struct HoldRequestBody: Decodable {
    let coins: CoinCount
    let timeout: HoldTimeout?
    let reference: NonEmpty?
    let reason: NonEmpty?

    typealias CodingKeys = HoldRequest.CodingKeys
}

/// What of a hold is taken, and by whom; nothing said: all that is left, by nobody.
struct CaptureRequestBody: Decodable {
    let coins: CoinCount?
    let provider: AccountOwner?
    let isFinal: Bool?
    let reason: NonEmpty?

    typealias CodingKeys = CaptureRequest.CodingKeys
}

/// Why a hold is voided.
struct VoidRequestBody: Decodable {
    let reason: NonEmpty?

    typealias CodingKeys = VoidRequest.CodingKeys
}

extension HoldBody {
    /// What clients read of a hold.
    init(_ hold: Hold) {
        self.init(
            id: hold.id, user: hold.user.rawValue, status: hold.status.rawValue, coins: hold.coins,
            captured: hold.captured, released: hold.released, remaining: hold.remaining, reference: hold.reference,
            placedAt: hold.placedAt, expiresAt: hold.expiresAt, closedAt: hold.closedAt)
    }
}

extension PlacedHoldBody {
    /// What clients read of a hold that was placed.
    init(_ placed: HoldPlaced) {
        self.init(
            hold: HoldBody(placed.hold), lots: placed.lots.map(LotUseBody.init), balance: BalanceBody(placed.balance))
    }
}

extension CapturedHoldBody {
    /// What clients read of a capture.
    init(_ captured: HoldCaptured) {
        let capture = Act(
            journalEntryID: captured.journalEntryID, coins: captured.coins,
            amount: captured.lots.reduce(0) { $0 + $1.amount }, provider: captured.provider?.rawValue)
        self.init(
            hold: HoldBody(captured.hold), capture: capture, lots: captured.lots.map(LotUseBody.init),
            balance: BalanceBody(captured.balance))
    }
}

extension VoidedHoldBody {
    /// What clients read of a hold that was voided.
    init(_ voided: HoldVoided) {
        self.init(hold: HoldBody(voided.hold), balance: BalanceBody(voided.balance))
    }
}
