/// A change of the gateway's state, as the data file keeps it.
enum StateRecord: Codable, Sendable {
    case payment(SandboxPayment)
    case event(PaymentEvents.Event)
    case prepared(PreparedAmount)
    case answer(IdempotencyShelf.StoredAnswer)
    case webhook(WebhookDelivery)
    /// A held webhook that was released: another one with a new number has taken its place.
    case webhookReleased(number: Int)
    /// The seconds by which the clock was advanced.
    case clock(offset: Double)
}

/// The state that a data file tells: the latest record of each payment, event, registered amount, response and webhook.
struct SavedState: Sendable {
    private var paymentsByID: [String: SandboxPayment] = [:]
    private var eventsByNumber: [Int: PaymentEvents.Event] = [:]
    private var answersByKey: [String: IdempotencyShelf.StoredAnswer] = [:]
    private var webhooksByNumber: [Int: WebhookDelivery] = [:]
    private(set) var prepared: [String: PreparedAmount] = [:]
    private(set) var clockOffset = 0.0

    mutating func apply(_ record: StateRecord) {
        switch record {
        case .payment(let payment): paymentsByID[payment.impUID] = payment
        case .event(let event): eventsByNumber[event.sequence] = event
        case .prepared(let amount): prepared[amount.merchantUID] = amount
        case .answer(let answer): answersByKey[answer.key] = answer
        case .webhook(let delivery): webhooksByNumber[delivery.number] = delivery
        case .webhookReleased(let number): webhooksByNumber[number] = nil
        case .clock(let offset): clockOffset = offset
        }
    }

    /// The oldest first, as the others.
    var payments: [SandboxPayment] { paymentsByID.values.sorted { $0.sequence < $1.sequence } }
    var events: [PaymentEvents.Event] { eventsByNumber.values.sorted { $0.sequence < $1.sequence } }
    var answers: [IdempotencyShelf.StoredAnswer] { answersByKey.values.sorted { $0.startedAt < $1.startedAt } }
    var webhooks: [WebhookDelivery] { webhooksByNumber.values.sorted { $0.number < $1.number } }

    /// The fewest records that tell this state.
    var records: [StateRecord] {
        payments.map(StateRecord.payment) + events.map(StateRecord.event)
            + prepared.values.map(StateRecord.prepared) + answers.map(StateRecord.answer)
            + webhooks.map(StateRecord.webhook) + [.clock(offset: clockOffset)]
    }
}
