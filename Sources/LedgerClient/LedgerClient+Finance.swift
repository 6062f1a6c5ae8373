import CivilTime
public import Foundation

// Calls for finance.
extension LedgerClient {
    /// The approved refunds, which finance has to pay by bank transfer or to reverse, oldest first.
    ///
    /// - Parameter pageSize: the page size, 1 to 100.
    public func approvedRefunds(pageSize: Int = 20) -> Listing<ApprovedRefundBody> {
        listing(["refunds", "approved"], query: [], pageSize: pageSize)
    }

    /// Records that an approved refund was paid by bank transfer.
    public func payRefund(
        _ refund: Int64, _ request: RefundPaymentRequest, key: IdempotencyKey
    ) async throws -> RefundAnswerBody {
        try await send(.post(["refunds", "\(refund)", "payment"], request, key: key))
    }

    /// Reverses an approved refund that was not paid: the coins come back.
    public func reverseRefund(
        _ refund: Int64, _ request: RefundReversalRequest, key: IdempotencyKey
    ) async throws -> RefundAnswerBody {
        try await send(.post(["refunds", "\(refund)", "reversal"], request, key: key))
    }

    /// Records that the money of a paid refund came back to our bank: the coins come back.
    public func repayRefund(
        _ refund: Int64, _ request: RefundPaymentRequest, key: IdempotencyKey
    ) async throws -> RefundAnswerBody {
        try await send(.post(["refunds", "\(refund)", "repayment"], request, key: key))
    }

    /// Records that a user paid owed coins in won, by a transfer to our bank.
    public func payDebt(
        of user: String, _ request: DebtPaymentRequest, key: IdempotencyKey
    ) async throws -> DebtPaymentBody {
        try await send(.post(["users", user, "debt", "payments"], request, key: key))
    }

    /// Writes off coins that a user owes.
    public func writeOffDebt(
        of user: String, _ request: DebtWriteOffRequest, key: IdempotencyKey
    ) async throws -> DebtWriteOffBody {
        try await send(.post(["users", user, "debt", "write-offs"], request, key: key))
    }

    /// Starts a reconciliation: compares a period's payments at the gateways with the books, in the background.
    ///
    /// ``reconciliation(_:)`` returns its progress.
    public func reconcile(_ request: ReconciliationRequest, key: IdempotencyKey) async throws -> ReconciliationBody {
        try await send(.post(["reconciliations"], request, key: key))
    }

    /// The reconciliations, newest first.
    ///
    /// - Parameters:
    ///   - from: only those started at this moment or later.
    ///   - to: only those started before this moment.
    ///   - status: only this status, such as `running`.
    ///   - pageSize: the page size, 1 to 100.
    public func reconciliations(
        from: Date? = nil, to: Date? = nil, status: String? = nil, pageSize: Int = 20
    ) -> Listing<ReconciliationBody> {
        listing(
            ["reconciliations"], query: filters(from: from, to: to, ["status": status]), pageSize: pageSize)
    }

    /// A reconciliation, with its progress while it runs.
    public func reconciliation(_ id: Int64) async throws -> ReconciliationBody {
        try await send(.get(["reconciliations", "\(id)"]))
    }

    /// The payments of a reconciliation.
    ///
    /// - Parameters:
    ///   - kinds: only these kinds, such as `paid_not_credited`; empty for all.
    ///   - pageSize: the page size, 1 to 100.
    public func items(
        ofReconciliation id: Int64, kinds: [String] = [], pageSize: Int = 20
    ) -> Listing<ReconciliationItemBody> {
        let query = kinds.isEmpty ? [] : [("kind", kinds.joined(separator: ","))]
        return listing(["reconciliations", "\(id)", "items"], query: query, pageSize: pageSize)
    }

    /// Disputes of payments: open ones oldest first, all or decided ones newest first.
    ///
    /// - Parameters:
    ///   - status: only this status: `open`, `won` or `lost`.
    ///   - pageSize: the page size, 1 to 100.
    public func disputes(status: String? = nil, pageSize: Int = 20) -> Listing<DisputeBody> {
        listing(["disputes"], query: status.map { [("status", $0)] } ?? [], pageSize: pageSize)
    }

    /// Books how a dispute ended: a lost one takes back what is left of its purchase.
    public func decideDispute(
        _ id: Int64, _ request: DisputeDecisionRequest, key: IdempotencyKey
    ) async throws -> DecidedDisputeBody {
        try await send(.post(["disputes", "\(id)", "decisions"], request, key: key))
    }

    /// The settlement files that were imported, newest first.
    ///
    /// - Parameters:
    ///   - from: only those imported at this moment or later.
    ///   - to: only those imported before this moment.
    ///   - pageSize: the page size, 1 to 100.
    public func settlements(from: Date? = nil, to: Date? = nil, pageSize: Int = 20) -> Listing<SettlementBody> {
        listing(["settlements"], query: filters(from: from, to: to), pageSize: pageSize)
    }

    /// A settlement file's rows.
    ///
    /// - Parameters:
    ///   - status: only this status, such as `unmatched`.
    ///   - pageSize: the page size, 1 to 100.
    public func rows(
        ofSettlement id: Int64, status: String? = nil, pageSize: Int = 20
    ) -> Listing<SettlementRowBody> {
        let query = status.map { [("status", $0)] } ?? []
        return listing(["settlements", "\(id)", "rows"], query: query, pageSize: pageSize)
    }

    /// A page of the payments that make up what the gateways owe, with the balances.
    ///
    /// - Parameters:
    ///   - moment: for the balance at this moment.
    ///   - cursor: the previous page's `nextCursor`.
    ///   - pageSize: the page size, 1 to 100.
    public func outstanding(
        asOf moment: Date? = nil, after cursor: String? = nil, pageSize: Int = 20
    ) async throws -> OutstandingPageBody {
        let query = [
            moment.map { ("as_of", RFC3339.string(from: $0)) }, ("limit", "\(pageSize)"), cursor.map { ("cursor", $0) },
        ]
        return try await send(.get(["settlements", "outstanding"], query: query.compactMap(\.self)))
    }

    /// Payments that need a decision by a person, by default oldest first; resolved ones newest first.
    ///
    /// - Parameters:
    ///   - from: only those found at this moment or later.
    ///   - to: only those found before this moment.
    ///   - kind: only this kind, such as `paid_unclaimed`.
    ///   - status: `open` (default) or `resolved`.
    ///   - assignee: only those that this person works on.
    ///   - person: only those that this person works on, or has resolved or credited.
    ///   - sort: `oldest` or `newest` first.
    ///   - user: only those of this user, or of payments whose receipt the user presented.
    ///   - payment: only those of the payment with this `imp_uid` or `payment_id`.
    ///   - order: only those of payments of the order with this `merchant_uid`.
    ///   - pageSize: the page size, 1 to 100.
    public func findings(
        from: Date? = nil, to: Date? = nil, kind: String? = nil, status: String? = nil, assignee: String? = nil,
        person: String? = nil, sort: String? = nil, user: String? = nil, payment: String? = nil, order: String? = nil,
        pageSize: Int = 20
    ) -> Listing<FindingBody> {
        let query = filters(
            from: from, to: to,
            [
                "kind": kind, "status": status, "assignee": assignee, "person": person, "sort": sort, "user": user,
                "payment": payment, "order": order,
            ])
        return listing(["findings"], query: query, pageSize: pageSize)
    }

    /// A finding, with what people did about it.
    public func finding(_ id: Int64) async throws -> FindingBody { try await send(.get(["findings", "\(id)"])) }

    /// Records who works on a finding; nil: nobody.
    ///
    /// - Parameter note: what the assignee should know.
    public func assign(_ finding: Int64, to assignee: String?, note: String? = nil) async throws -> FindingBody {
        try await send(.post(["findings", "\(finding)", "assign"], AssignRequest(assignee: assignee, note: note)))
    }

    /// Adds a note to a finding, unless it is the finding's last act already.
    public func addNote(_ text: String, toFinding id: Int64) async throws -> FindingBody {
        try await send(.post(["findings", "\(id)", "notes"], NoteRequest(text: text)))
    }

    /// Resolves a finding: it needs no further decision.
    public func resolve(_ finding: Int64, reason: String) async throws -> FindingBody {
        try await send(.post(["findings", "\(finding)", "resolve"], ResolveRequest(reason: reason)))
    }

    /// Credits a finding's payment to the user to whom it belongs by a person's decision.
    ///
    /// The payment is the key: a repeat returns the same purchase.
    ///
    /// - Parameter isNewUser: whether the user is new; otherwise a user of whom ledgerd has no record is refused with
    ///   `user_unknown`, because the id may be a slip.
    public func claim(
        _ finding: Int64, for user: String, reason: String, isNewUser: Bool = false
    ) async throws -> ReceiptOutcome {
        let request = ClaimRequest(user: user, reason: reason, newUser: isNewUser ? true : nil)
        let answer = try await perform(.post(["findings", "\(finding)", "claim"], request))
        return answer.status == 202 ? .waiting(try answer.decode()) : .credited(try answer.decode())
    }

    /// Gives the payment of a finding back at the gateway, which is not credited.
    ///
    /// The finding is `resolved` when the gateway has done it; `open`: it does so later. A repeat gives nothing back twice.
    public func refund(finding: Int64, _ request: FindingRefundRequest) async throws -> FindingBody {
        try await send(.post(["findings", "\(finding)", "refund"], request))
    }

    /// What is outstanding at the gateways now, by the age of the payments.
    public func outstandingByAge() async throws -> OutstandingAgesBody {
        try await send(.get(["settlements", "outstanding", "ages"]))
    }

    /// The lines of all settlement files whose payment is not in the books, oldest first.
    public func unmatchedRows(pageSize: Int = 20) -> Listing<SettlementRowBody> {
        listing(["settlements", "unmatched"], pageSize: pageSize)
    }

    /// Dismisses an unmatched line of a settlement file, which is not ours.
    ///
    /// A repeat changes nothing.
    public func dismiss(
        line: Int64, ofSettlement id: Int64, _ request: SettlementDismissalRequest
    ) async throws -> SettlementRowBody {
        try await send(.post(["settlements", "\(id)", "rows", "\(line)", "dismissal"], request))
    }
}
