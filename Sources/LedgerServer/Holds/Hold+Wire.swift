import Ledger
import LedgerWire

/// The request of a hold.
struct HoldRequestBody: Decodable {
    let coins: CoinCount
    let timeout: HoldTimeout?
    let reference: NonEmpty?
    let reason: NonEmpty?

    typealias CodingKeys = HoldRequest.CodingKeys
}

/// A member with the number of seconds until a hold expires.
struct HoldTimeout: Decodable, Sendable {
    /// The default: an hour.
    static let standard: Int64 = 3600

    let seconds: Int64

    init(from decoder: any Decoder) throws {
        seconds = try decoder.singleValueContainer().decode(Int64.self)
        guard PlaceHold.timeouts.contains(seconds) else {
            let pointer = JSONPointer(decoder.codingPath).text
            let range = PlaceHold.timeouts
            throw Problem.invalid(
                pointer: pointer, "\(pointer) must be from \(range.lowerBound) to \(range.upperBound) seconds")
        }
    }
}

/// The request of a capture; by default all remaining coins, without a provider.
struct CaptureRequestBody: Decodable {
    @AllIfAbsent var coins: CoinCount?
    let provider: AccountOwner?
    let product: NonEmpty?
    let isFinal: Bool?
    let reason: NonEmpty?

    typealias CodingKeys = CaptureRequest.CodingKeys
}

/// The request of a void.
struct VoidRequestBody: Decodable {
    let reason: NonEmpty?

    typealias CodingKeys = VoidRequest.CodingKeys
}

extension HoldBody {
    init(_ hold: Hold) {
        self.init(
            id: hold.id, user: hold.user.rawValue, status: hold.status.rawValue, coins: hold.coins,
            captured: hold.captured, released: hold.released, remaining: hold.remaining, reference: hold.reference,
            placedAt: hold.placedAt, expiresAt: hold.expiresAt, closedAt: hold.closedAt)
    }
}

extension PlacedHoldBody {
    init(_ placed: HoldPlaced) {
        self.init(
            hold: HoldBody(placed.hold), lots: placed.lots.map(LotUseBody.init), balance: BalanceBody(placed.balance))
    }
}

extension CapturedHoldBody {
    init(_ captured: HoldCaptured) {
        let capture = Act(
            journalEntryID: captured.journalEntryID, coins: captured.coins,
            amount: captured.lots.reduce(0) { $0 + $1.amount }, provider: captured.provider?.rawValue,
            product: captured.item)
        self.init(
            hold: HoldBody(captured.hold), capture: capture, lots: captured.lots.map(LotUseBody.init),
            balance: BalanceBody(captured.balance))
    }
}

extension VoidedHoldBody {
    init(_ voided: HoldVoided) {
        self.init(hold: HoldBody(voided.hold), balance: BalanceBody(voided.balance))
    }
}
