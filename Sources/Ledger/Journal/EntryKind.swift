/// The act that a journal entry records.
///
/// A kind is declared here: a case, and its ``row``, from which follow its events, figures, reports and names. The judges in
/// the database and the doctor have rules of their own.
package enum EntryKind: String, Sendable, CaseIterable {
    case purchase
    case grant
    case clawBack = "claw_back"
    case debtPayment = "debt_payment"
    case spend
    case hold
    case capture
    case void
    case expiry
    case refundHold = "refund_hold"
    case refundRelease = "refund_release"
    case refund
    case settlement
    case spendReversal = "spend_reversal"
    case captureReversal = "capture_reversal"
    case refundPayment = "refund_payment"
    case refundReversal = "refund_reversal"
    case debtBankPayment = "debt_bank_payment"
    case debtWriteOff = "debt_write_off"
    case payout
    case providerRepayment = "provider_repayment"
    case disputeHold = "dispute_hold"
    case disputeRelease = "dispute_release"
    case adjustment
    case expiryReversal = "expiry_reversal"
    case debtWriteOffReversal = "debt_write_off_reversal"
    case clawBackReversal = "claw_back_reversal"
    case grantVoid = "grant_void"
    case giftSent = "gift_sent"
    case giftReceived = "gift_received"
    case giftTakenBack = "gift_taken_back"
    case giftReturned = "gift_returned"
    case merge
}

extension EntryKind {
    /// All that follows from a kind.
    package struct Row: Sendable {
        /// The type of its events.
        let event: EntryEvent
        /// What its events are about; nil: the user's coins alone.
        let fact: Fact?
        /// The lots that its events name; nil: none.
        let lots: Lots?
        /// Whose its entries are.
        let owner: Owner
        /// Whether its coins and won are counted: its entries do more than set coins aside or release them.
        let isCounted: Bool
        /// What it does to the coins that users have; nil: it moves them between wallet and hold, or touches none.
        let prepaid: PrepaidFlow?
        /// What it is called.
        package let names: Names

        init(
            _ event: EntryEvent, about fact: Fact? = nil, lots: Lots? = nil, of owner: Owner = .user,
            counted: Bool = false, prepaid: PrepaidFlow? = nil, _ names: Names
        ) {
            self.event = event
            self.fact = fact
            self.lots = lots
            self.owner = owner
            isCounted = counted
            self.prepaid = prepaid
            self.names = names
        }
    }

    /// What the events of a kind are about: the case of ``EventEntry/Fact``.
    enum Fact: String, CaseIterable, Sendable {
        case purchase, clawBack, hold, refund, debtPayment, lot, reversal, payout, repayment, adjustment, settlement,
            gift
    }

    /// The lots that the events of a kind name.
    enum Lots: Sendable {
        /// Those that a spend or capture used: in its recorded outcome.
        case used
        /// Those that coins came back into.
        case returned
        /// Those that a hold was placed on.
        case held
    }

    /// Whose the entries of a kind are.
    enum Owner: Sendable {
        /// A user's: they move the user's coins.
        case user
        /// A user's, whose coins they do not move.
        case userWithoutCoins
        /// No user's.
        case nobody
    }

    /// What a kind is called.
    package struct Names: Sendable {
        /// For people who work with the console.
        package let english: String
        package let korean: String
        /// For the user whose coins move; nil: it moves none.
        package let user: String?

        init(_ english: String, _ korean: String, user: String? = nil) {
            self.english = english
            self.korean = korean
            self.user = user
        }
    }

    package var row: Row {
        switch self {
        case .purchase:
            Row(
                .always(.purchaseCredited), about: .purchase, counted: true, prepaid: .issued,
                Names("purchase", "구매", user: "Bought coins"))
        case .grant:
            Row(
                .always(.coinsGranted), about: .lot, counted: true, prepaid: .issued,
                Names("grant", "지급", user: "Bonus"))
        case .clawBack:
            Row(
                .always(.purchaseClawedBack), about: .clawBack, counted: true, prepaid: .refunded,
                Names("claw-back", "회수", user: "Payment cancelled"))
        case .debtPayment:
            // A debt is paid with coins that were used before they were paid for.
            Row(.always(.debtPaid), counted: true, prepaid: .used, Names("debt paid", "미회수 코인 상환", user: "Debt paid"))
        case .spend:
            Row(.always(.coinsSpent), lots: .used, counted: true, prepaid: .used, Names("spend", "사용", user: "Spent"))
        case .hold:
            Row(.always(.holdPlaced), about: .hold, lots: .held, Names("hold", "보류", user: "Reserved"))
        case .capture:
            Row(
                .always(.holdCaptured), about: .hold, lots: .used, counted: true, prepaid: .used,
                Names("capture", "보류 확정", user: "Charged"))
        case .void:
            Row(.byHold, about: .hold, Names("hold released", "보류 해제", user: "Released"))
        case .expiry:
            Row(
                .always(.lotExpired), about: .lot, counted: true, prepaid: .expired,
                Names("expiry", "만료", user: "Expired"))
        case .refundHold:
            Row(.always(.refundRequested), about: .refund, Names("refund begun", "환불 시작", user: "Refund begun"))
        case .refundRelease:
            Row(.always(.refundRefused), about: .refund, Names("refund refused", "환불 거절", user: "Refund refused"))
        case .refund:
            Row(.byRefund, about: .refund, counted: true, prepaid: .refunded, Names("refund", "환불", user: "Refunded"))
        case .settlement:
            Row(.always(.settlementBooked), about: .settlement, of: .nobody, counted: true, Names("settlement", "정산"))
        case .spendReversal:
            Row(
                .always(.spendReversed), about: .reversal, lots: .returned, counted: true, prepaid: .used,
                Names("spend undone", "사용 취소", user: "Spending undone"))
        case .captureReversal:
            Row(
                .always(.captureReversed), about: .reversal, lots: .returned, counted: true, prepaid: .used,
                Names("capture undone", "보류 확정 취소", user: "Charge undone"))
        case .refundPayment:
            Row(
                .always(.refundPaid), about: .refund, of: .userWithoutCoins, counted: true,
                Names("refund paid by transfer", "환불 이체"))
        case .refundReversal:
            Row(
                .always(.refundReversed), about: .refund, lots: .returned, counted: true, prepaid: .refunded,
                Names("refund undone", "환불 취소", user: "Refund undone"))
        case .debtBankPayment:
            Row(
                .always(.debtPaidByBank), about: .debtPayment, counted: true,
                Names("debt paid by transfer", "미회수 코인 이체 상환", user: "Debt paid"))
        case .debtWriteOff:
            Row(.always(.debtWrittenOff), Names("debt written off", "미회수 코인 면제", user: "Debt written off"))
        case .payout:
            Row(.always(.payoutBooked), about: .payout, of: .nobody, Names("payout to a provider", "파트너 정산"))
        case .providerRepayment:
            Row(
                .always(.providerRepaid), about: .repayment, of: .nobody,
                Names("claim paid back by a provider", "파트너 채권 상환"))
        case .disputeHold:
            Row(
                .always(.coinsFrozen), about: .purchase,
                Names("frozen for a dispute", "분쟁으로 동결", user: "Frozen for a dispute"))
        case .disputeRelease:
            Row(
                .always(.coinsReleased), about: .purchase,
                Names("released after a dispute", "분쟁 종료로 해제", user: "Released after a dispute"))
        case .adjustment:
            Row(.byAdjustment, about: .adjustment, of: .nobody, Names("month-end adjustment", "월말 수정분개"))
        case .expiryReversal:
            Row(
                .always(.lotExpiryReversed), about: .refund, counted: true, prepaid: .expired,
                Names("expiry undone for a refund", "환불을 위한 만료 취소", user: "Expiry undone"))
        case .debtWriteOffReversal:
            Row(
                .always(.debtWriteOffReversed), Names("write-off undone", "미회수 코인 면제 취소", user: "Write-off undone"))
        case .clawBackReversal:
            Row(
                .always(.purchaseClawBackReversed), about: .clawBack, lots: .returned, counted: true,
                prepaid: .refunded, Names("claw-back undone", "회수 취소", user: "Cancellation undone"))
        case .grantVoid:
            // What was issued becomes less: the coins should not have been given, and were not used.
            Row(
                .always(.grantVoided), about: .lot, counted: true, prepaid: .issued,
                Names("grant voided", "지급 취소", user: "Bonus taken back"))
        case .giftSent:
            Row(.always(.giftSent), about: .gift, Names("gift sent", "선물 보냄", user: "Gift sent"))
        case .giftReceived:
            Row(.always(.giftReceived), about: .gift, Names("gift received", "선물 받음", user: "Gift received"))
        case .giftTakenBack:
            Row(
                .always(.giftTakenBack), about: .gift,
                Names("gift taken back for a refund", "환불로 선물 회수", user: "Gift taken back: its payment was refunded"))
        case .giftReturned:
            Row(
                .always(.giftReturned), about: .gift,
                Names("gift returned for a refund", "환불로 선물 반환", user: "Gift returned for a refund"))
        case .merge:
            Row(.always(.coinsMerged), Names("accounts merged", "계정 통합", user: "Accounts merged"))
        }
    }
}

// MARK: - Events

/// The type of an entry's event: one of its kind's, by what the database says of the entry.
struct EntryEvent: Sendable {
    /// The text that tells them apart, as an SQL expression of the entry's alias; nil: all have ``otherwise``.
    private let asked: (@Sendable (_ entry: StaticString) -> String)?
    private let choices: [(text: String, type: EventType)]
    private let otherwise: EventType

    /// All types.
    var types: [EventType] { choices.map(\.type) + [otherwise] }

    /// One type.
    static func always(_ type: EventType) -> EntryEvent { EntryEvent(asked: nil, choices: [], otherwise: type) }

    /// By the status that the hold got.
    static let byHold = EntryEvent(
        asked: { "(SELECT status FROM hold_event WHERE journal_entry_id = \($0).id)" },
        choices: [("voided", .holdVoided), ("expired", .holdExpired)], otherwise: .holdReleased)

    /// By the way that the money goes back.
    static let byRefund = EntryEvent(
        asked: { "(SELECT method FROM refund WHERE refund.id = substr(\($0).reference, 8)::bigint)" },
        choices: [("bank_transfer", .refundApproved)], otherwise: .refundCompleted)

    /// By what is brought to the month's end.
    static let byAdjustment = EntryEvent(
        asked: { "split_part(\($0).reference, ':', 1)" }, choices: [("revaluation", .revaluationBooked)],
        otherwise: .adjustmentBooked)

    /// The type of an entry's event, as an SQL expression.
    fileprivate func sql(of entry: StaticString) -> String {
        guard let asked else { return "'\(otherwise.rawValue)'" }
        let cases = choices.map { "WHEN '\($0.text)' THEN '\($0.type.rawValue)'" }
        return "CASE \(asked(entry)) \(cases.joined(separator: " ")) ELSE '\(otherwise.rawValue)' END"
    }
}

extension EntryKind {
    /// The type of an entry's event, as an SQL expression; of a kind that is unknown, the kind.
    ///
    /// - Parameter entry: the table or alias with `id`, `kind` and `reference`.
    static func eventTypeSQL(of entry: StaticString) -> String {
        let cases = allCases.map { "WHEN '\($0.rawValue)' THEN \($0.row.event.sql(of: entry))" }
        return "CASE \(entry).kind\n\(cases.joined(separator: "\n"))\nELSE \(entry).kind END"
    }
}
