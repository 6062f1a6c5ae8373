/// Records what the gateway shows of a dispute of a credited payment, and freezes or releases the purchase's unused
/// coins accordingly.
///
/// While a dispute is open, if coins are frozen:
///
/// ```
/// Dr wallet:<user>:paid   coins / Cr held:<user>:paid   coins
/// Dr wallet:<user>:bonus  bonus / Cr held:<user>:bonus  bonus
/// ```
/// When no dispute of the purchase is open any more, the opposite entry releases them. A dispute that is resolved while
/// the payment still stands is won. If a person booked it as lost before, nothing is moved: it is a finding, because
/// somebody has to give back what was taken. The act has no idempotency key: a dispute of a payment is known by its beginning.
package struct RecordDispute: UserAct, Hashable {
    package var user: UserID
    /// The payment at the gateway.
    package let payment: PaymentIdentity
    package let dispute: ReportedDispute
    /// Whether the purchase's coins are frozen while a dispute is open.
    package let freezes: Bool

    package init(user: UserID, payment: PaymentIdentity, dispute: ReportedDispute, freezes: Bool) {
        self.user = user
        self.payment = payment
        self.dispute = dispute
        self.freezes = freezes
    }
}

/// The result of recording or deciding a dispute.
package struct DisputeRecorded: Sendable, Equatable, Codable {
    /// The dispute after the act.
    package let dispute: Dispute
    /// Paid coins that the act took back, or gave back if the dispute is won: with those that were owed.
    package var coins: Int64 = 0
    /// Bonus coins that the act took back, or gave back.
    package var bonusCoins: Int64 = 0
    /// The won that the act took back, or gave back.
    package var amount: Int64 = 0
    /// The entry of the claw-back, or of its reversal; nil: nothing was taken or given back.
    package var journalEntryID: Int64?
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension RecordDispute {
    package var touches: Touches {
        Touches(
            systemAccounts: [.deferredRevenue, .revenue], payment: payment, takesBack: true, userLots: .first)
    }

    package func plan(on books: inout Plan) -> Answer<DisputeRecorded> { books.recordDispute(self) }
}

extension Plan {
    fileprivate mutating func recordDispute(_ act: RecordDispute) -> Answer<DisputeRecorded> {
        guard let purchase = purchases.purchase(of: act.payment), purchase.user == act.user else {
            return .refused(.noSuchPurchase)
        }
        let known = disputes.dispute(of: purchase, openedAt: act.dispute.openedAt)
        let dispute = known ?? open(act.dispute, of: purchase)
        var isChanged = known == nil
        if dispute.status == .open, act.dispute.isResolved {
            var won = dispute
            won.status = .won
            won.decidedAt = moment(act.dispute.resolvedAt, notBefore: dispute.openedAt)
            won.isResolvedAtGateway = true
            disputes.decide(DisputeDecision(dispute: won, recordedAt: recordedAt))
            isChanged = true
        } else if dispute.isWonAfterLoss(by: act.dispute) {
            disputes.note(
                DisputeWin(
                    disputeID: dispute.id, resolvedAt: moment(act.dispute.resolvedAt, notBefore: dispute.openedAt),
                    recordedAt: recordedAt))
            isChanged = true
        }
        isChanged = settleDisputes(of: purchase, freezes: act.freezes) || isChanged
        let recorded = DisputeRecorded(
            dispute: disputes.dispute(dispute.id, of: purchase) ?? dispute, balance: balance(of: act.user))
        return isChanged ? .done(recorded) : .unchanged(recorded)
    }

    private mutating func open(_ reported: ReportedDispute, of purchase: Purchase) -> Dispute {
        let dispute = Dispute(
            id: newID(), purchaseID: purchase.id, user: purchase.user, gatewayID: reported.gatewayID,
            openedAt: reported.openedAt, reason: reported.reason, recordedAt: recordedAt)
        disputes.insert(dispute)
        return dispute
    }
}

extension Dispute {
    /// Whether it is news that the gateway resolved the dispute: a person has booked it as lost, and the gateway had not
    /// resolved it by then.
    fileprivate func isWonAfterLoss(by reported: ReportedDispute) -> Bool {
        status == .lost && isBookedAsLost == true && isResolvedAtGateway != true && reported.isResolved
    }
}
