/// The type of an event, such as `purchase.credited`.
///
/// The doc comment of a constant is what docs/openapi.json and docs/events.md say of the type.
package struct EventType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// All types below, in the order of the documentation; a test writes the list.
    package static let all: [EventType] = [
        purchaseCredited, purchaseClawedBack, purchaseClawBackReversed, purchaseDisputed, purchaseDisputeResolved,
        coinsFrozen, coinsReleased, coinsSpent, spendReversed, coinsGranted, grantVoided, giftSent, giftReceived,
        giftTakenBack, giftReturned, holdPlaced, holdCaptured, captureReversed, holdVoided, holdExpired,
        holdReleased, refundRequested, refundApproved, refundPaid, refundReversed, refundCompleted, refundRefused,
        lotExpired, lotExpiryReversed, debtPaid, debtPaidByBank, debtWrittenOff, debtWriteOffReversed, userMerged,
        coinsMerged, balanceFellBelow, balanceRoseAbove, topUpAgreed, topUpCredited, topUpFailed, topUpLimited,
        topUpPaused, topUpResumed, topUpRevoked, campaignCreated, campaignApproved, campaignPaused, campaignResumed,
        campaignEnded, campaignVoided, userForgotten, settlementBooked, payoutProposed, payoutApproved,
        payoutWithdrawn, payoutPaid, payoutBooked, providerRepaid, adjustmentBooked, revaluationBooked,
        orderExpired, receiptWaiting, receiptRefused, findingOpened, findingClosed, reconciliationCompleted,
        reconciliationFailed, periodClosed, sealMade, endpointEnabled, endpointDisabled, endpointDeleted,
    ]

    /// A payment was credited.
    package static let purchaseCredited = EventType(rawValue: "purchase.credited")
    /// A payment was cancelled at the gateway, and its coins were taken back.
    package static let purchaseClawedBack = EventType(rawValue: "purchase.clawed_back")
    /// A dispute that was booked as lost was won, or a store took a refund back, and what was taken came back.
    package static let purchaseClawBackReversed = EventType(rawValue: "purchase.claw_back_reversed")
    /// The buyer disputes a payment.
    package static let purchaseDisputed = EventType(rawValue: "purchase.disputed")
    /// A dispute was won or lost.
    package static let purchaseDisputeResolved = EventType(rawValue: "purchase.dispute_resolved")
    /// Unused coins of a disputed purchase were frozen.
    package static let coinsFrozen = EventType(rawValue: "coins.frozen")
    /// Frozen coins went back to the wallet.
    package static let coinsReleased = EventType(rawValue: "coins.released")
    /// A service spent coins of a user.
    package static let coinsSpent = EventType(rawValue: "coins.spent")
    /// A spend was reversed, whole or in part, and its coins came back.
    package static let spendReversed = EventType(rawValue: "spend.reversed")
    /// A service gave a user bonus coins.
    package static let coinsGranted = EventType(rawValue: "coins.granted")
    /// Coins of a grant that were not used were taken back.
    package static let grantVoided = EventType(rawValue: "grant.voided")
    /// A user gave coins to another one.
    package static let giftSent = EventType(rawValue: "gift.sent")
    /// A user was given coins by another one.
    package static let giftReceived = EventType(rawValue: "gift.received")
    /// A user lost given coins, because the money of their purchase goes back to its buyer.
    package static let giftTakenBack = EventType(rawValue: "gift.taken_back")
    /// Given coins came back to their buyer, to be refunded.
    package static let giftReturned = EventType(rawValue: "gift.returned")
    /// Coins were set aside.
    package static let holdPlaced = EventType(rawValue: "hold.placed")
    /// Held coins were taken.
    package static let holdCaptured = EventType(rawValue: "hold.captured")
    /// A capture was reversed, whole or in part, and its coins came back.
    package static let captureReversed = EventType(rawValue: "capture.reversed")
    /// A hold was voided, and its coins went back to the wallet.
    package static let holdVoided = EventType(rawValue: "hold.voided")
    /// A hold expired, and its coins went back to the wallet.
    package static let holdExpired = EventType(rawValue: "hold.expired")
    /// The rest of a hold went back to the wallet, because its last capture was final.
    package static let holdReleased = EventType(rawValue: "hold.released")
    /// A refund was requested, and its coins are held.
    package static let refundRequested = EventType(rawValue: "refund.requested")
    /// A refund by bank transfer was approved, and its coins are taken.
    package static let refundApproved = EventType(rawValue: "refund.approved")
    /// An approved refund was paid by bank transfer.
    package static let refundPaid = EventType(rawValue: "refund.paid")
    /// A refund by bank transfer was reversed or paid back, and its coins came back.
    package static let refundReversed = EventType(rawValue: "refund.reversed")
    /// The gateway gave the money back, and the coins are taken.
    package static let refundCompleted = EventType(rawValue: "refund.completed")
    /// The gateway refused a refund, and the coins went back to the wallet.
    package static let refundRefused = EventType(rawValue: "refund.refused")
    /// Coins of a lot expired.
    package static let lotExpired = EventType(rawValue: "lot.expired")
    /// Expired coins came back, because they are refunded.
    package static let lotExpiryReversed = EventType(rawValue: "lot.expiry_reversed")
    /// Owed coins were paid from new coins.
    package static let debtPaid = EventType(rawValue: "debt.paid")
    /// Owed coins were paid in won, by a transfer to our bank.
    package static let debtPaidByBank = EventType(rawValue: "debt.paid_by_bank")
    /// Owed coins were written off.
    package static let debtWrittenOff = EventType(rawValue: "debt.written_off")
    /// Coins that were written off are owed again.
    package static let debtWriteOffReversed = EventType(rawValue: "debt.write_off_reversed")
    /// A former id refers to this user from now on: two accounts became one, or the id of a user was changed.
    package static let userMerged = EventType(rawValue: "user.merged")
    /// Coins and debts left the accounts of a user who was merged into another one, or came into the other's.
    package static let coinsMerged = EventType(rawValue: "coins.merged")
    /// A user's available coins fell below a threshold.
    package static let balanceFellBelow = EventType(rawValue: "balance.fell_below")
    /// A user's available coins rose above a threshold.
    package static let balanceRoseAbove = EventType(rawValue: "balance.rose_above")
    /// A user agreed to automatic top-up.
    package static let topUpAgreed = EventType(rawValue: "top_up.agreed")
    /// The payment of an automatic top-up was credited.
    package static let topUpCredited = EventType(rawValue: "top_up.credited")
    /// The gateway did not charge for an automatic top-up.
    package static let topUpFailed = EventType(rawValue: "top_up.failed")
    /// A limit of the day or the month kept an automatic top-up back.
    package static let topUpLimited = EventType(rawValue: "top_up.limited")
    /// Automatic top-up of a user was paused, by somebody or because of failures or a debt.
    package static let topUpPaused = EventType(rawValue: "top_up.paused")
    /// Automatic top-up of a user was resumed.
    package static let topUpResumed = EventType(rawValue: "top_up.resumed")
    /// A user's consent to automatic top-up ended.
    package static let topUpRevoked = EventType(rawValue: "top_up.revoked")
    /// A campaign was created.
    package static let campaignCreated = EventType(rawValue: "campaign.created")
    /// A campaign was approved by a second person.
    package static let campaignApproved = EventType(rawValue: "campaign.approved")
    /// A campaign was paused, by somebody or because its budget is met.
    package static let campaignPaused = EventType(rawValue: "campaign.paused")
    /// A campaign goes on: somebody resumed it, or it has a budget again.
    package static let campaignResumed = EventType(rawValue: "campaign.resumed")
    /// The time of a campaign is over.
    package static let campaignEnded = EventType(rawValue: "campaign.ended")
    /// What was left of a campaign's coins is voided.
    package static let campaignVoided = EventType(rawValue: "campaign.voided")
    /// A user was forgotten: texts are erased, and `user` is the id that took the place of theirs.
    package static let userForgotten = EventType(rawValue: "user.forgotten")
    /// The gateway's payout of a payment was booked.
    package static let settlementBooked = EventType(rawValue: "settlement.booked")
    /// A payout to providers was proposed.
    package static let payoutProposed = EventType(rawValue: "payout.proposed")
    /// A payout to providers was approved by a second person.
    package static let payoutApproved = EventType(rawValue: "payout.approved")
    /// A payout to providers was withdrawn before it was paid.
    package static let payoutWithdrawn = EventType(rawValue: "payout.withdrawn")
    /// The bank has paid a payout.
    package static let payoutPaid = EventType(rawValue: "payout.paid")
    /// One entry of a paid payout was booked.
    package static let payoutBooked = EventType(rawValue: "payout.booked")
    /// A provider paid back a claim.
    package static let providerRepaid = EventType(rawValue: "provider.repaid")
    /// The adjusting entry of a month was booked.
    package static let adjustmentBooked = EventType(rawValue: "adjustment.booked")
    /// What is due in a foreign currency was revalued at a month's end, or that was taken back.
    package static let revaluationBooked = EventType(rawValue: "revaluation.booked")
    /// An order expired unpaid.
    ///
    /// It may still be paid late.
    package static let orderExpired = EventType(rawValue: "order.expired")
    /// A receipt waits for the gateway.
    package static let receiptWaiting = EventType(rawValue: "receipt.waiting")
    /// A stored receipt was refused.
    package static let receiptRefused = EventType(rawValue: "receipt.refused")
    /// A payment needs a decision by a person.
    package static let findingOpened = EventType(rawValue: "finding.opened")
    /// A finding was resolved.
    package static let findingClosed = EventType(rawValue: "finding.closed")
    /// A reconciliation has its result.
    package static let reconciliationCompleted = EventType(rawValue: "reconciliation.completed")
    /// A reconciliation failed.
    package static let reconciliationFailed = EventType(rawValue: "reconciliation.failed")
    /// A period of the books was closed.
    package static let periodClosed = EventType(rawValue: "period.closed")
    /// The books were sealed.
    package static let sealMade = EventType(rawValue: "seal.made")
    /// An endpoint was enabled again.
    package static let endpointEnabled = EventType(rawValue: "endpoint.enabled")
    /// An endpoint was disabled.
    package static let endpointDisabled = EventType(rawValue: "endpoint.disabled")
    /// An endpoint was deleted.
    package static let endpointDeleted = EventType(rawValue: "endpoint.deleted")
}
