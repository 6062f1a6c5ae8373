import Batching
import Timing
import Traces
import Tracing

/// Look-ups of payments at one gateway. Callers that ask for the same payment share a look-up; waiting look-ups share
/// the next call.
///
/// A call first waits for a slot and for the rate limit, then takes the look-ups that are waiting, as many as the
/// gateway accepts at once. Callers take turns for the places in a call (``GatewayCaller``). A phone that lost its
/// connection retries at once, and a webhook often arrives in the same second as the client: such requests are one
/// look-up. Results are not cached.
///
/// A look-up has one deadline, that of its first caller. One timer serves all look-ups. A cancelled caller leaves at
/// once; the call continues for the others and ends with the last of them.
actor SharedLookups {
    typealias Outcome = Result<GatewayPayment, GatewayError>

    /// How look-ups share calls.
    struct Terms: Sendable {
        /// The maximum number of payments in one call.
        var batchLimit = 1
        /// The maximum number of simultaneous calls.
        var callsAtOnce = Int.max
        /// The maximum number of waiting look-ups.
        var maxWaiting = 10_000
        /// The maximum time of a look-up.
        var patience: Duration = .seconds(10)
    }

    /// One request for a payment.
    struct Question: Sendable {
        let receipt: Receipt
        /// The first caller.
        let caller: GatewayCaller
        /// The first caller's span, if it is traced.
        var span: (any Span)?
    }

    /// One requested payment and its waiting callers.
    private struct Lookup {
        let question: Question
        let deadline: ContinuousClock.Instant
        /// The running call; nil while the look-up waits.
        var call: Int?
        var callers = Waiters<Outcome, Never>()
    }

    /// A call and the number of look-ups that still need its answer.
    private struct Call {
        let task: Task<Void, Never>
        var lookups = 0
    }

    /// Waits until a call may be made; nil if that is unknown before the call.
    typealias Admit = @Sendable () async -> Admission?
    /// Asks the gateway and returns an outcome per question, in order.
    typealias Ask = @Sendable (_ questions: [Question], _ admission: Admission?) async -> [Outcome]

    private let terms: Terms
    private let time: Time
    private let admit: Admit
    private let ask: Ask
    /// All look-ups, by the gateway's payment id.
    private var lookups: [String: Lookup] = [:]
    /// Look-ups without a call, by payment id.
    private(set) var waiting = Turns<String>()
    private var calls: [Int: Call] = [:]
    /// Whether a call waits for its admission.
    ///
    /// Only one does at a time, because new look-ups join it.
    private var isEntering = false
    /// Sleeps until the earliest deadline.
    private var timer: Task<Void, Never>?
    private var lastNumber = 0

    init(
        _ terms: Terms, time: Time = .current, admit: @escaping Admit = { nil }, ask: @escaping Ask
    ) {
        self.terms = terms
        self.time = time
        self.admit = admit
        self.ask = ask
    }

    /// For a gateway that has no call for several payments: each look-up is a call of its own, in its caller's queue.
    init(_ limits: GatewayLimits, time: Time, lookUp: @escaping @Sendable (Receipt) async -> Outcome) {
        self.init(Terms(maxWaiting: limits.maxWaitingLookups, patience: limits.totalTimeout), time: time) {
            questions, _ in
            var answers: [Outcome] = []
            for question in questions {
                answers.append(
                    await GatewayCaller.$current.withValue(question.caller) { await lookUp(question.receipt) })
            }
            return answers
        }
    }

    /// Asks the gateway for a payment, or joins a running look-up of the same payment.
    ///
    /// - Throws: ``GatewayError``; `timeout` if there is no answer in time.
    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        try await traced("look up payment") { span throws(GatewayError) in
            let caller = WaiterTicket()
            let answer = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in join(caller, receipt, span, continuation) }
            } onCancel: {
                Task { await leave(caller, receipt) }
            }
            return try answer.get()
        }
    }

    // MARK: Callers

    private func join(
        _ caller: WaiterTicket, _ receipt: Receipt, _ span: (any Span)?,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        // A caller that was cancelled before this line gets no `leave` call; one that is cancelled later has joined by
        // then.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.callerLeft)) }
        let name = receipt.lookupID
        if let lookup = lookups[name] {
            // The call, which is the first caller's, can be found from here.
            if let first = lookup.question.span { span?.addLink(SpanLink(context: first.context, attributes: [:])) }
        } else {
            guard waiting.count < terms.maxWaiting else { return continuation.resume(returning: .failure(.noRoom)) }
            let question = Question(receipt: receipt, caller: .current, span: span)
            lookups[name] = Lookup(question: question, deadline: time.instant + terms.patience)
            waiting.append(name, in: question.caller.lane)
        }
        lookups[name]?.callers.append(continuation, as: caller)
        startCall(for: span)
        startTimer()
    }

    private func leave(_ caller: WaiterTicket, _ receipt: Receipt) {
        let name = receipt.lookupID
        guard let continuation = lookups[name]?.callers.remove(caller) else { return }
        continuation.resume(returning: .failure(.callerLeft))
        if lookups[name]?.callers.isEmpty == true { end(name, .failure(.callerLeft)) }
    }

    /// Answers all callers of a payment, and ends a call without callers.
    private func end(_ name: String, _ outcome: Outcome) {
        guard var lookup = lookups.removeValue(forKey: name) else { return }
        for continuation in lookup.callers.removeAll() { continuation.resume(returning: outcome) }
        if lookups.isEmpty { timer?.cancel() }
        guard let call = lookup.call else {
            _ = waiting.remove(from: lookup.question.caller.lane) { $0 == name }
            return
        }
        calls[call]?.lookups -= 1
        if calls[call]?.lookups == 0 { calls[call]?.task.cancel() }
    }

    // MARK: Calls

    /// - Parameter span: the span that what comes before the call is a part of, such as the request for a token.
    private func startCall(for span: (any Span)? = nil) {
        guard !isEntering, !waiting.isEmpty, calls.count < terms.callsAtOnce else { return }
        isEntering = true
        let number = nextNumber()
        // Not a child of the caller's task, because other callers wait for it too.
        calls[number] = Call(task: Task { await inTrace(of: span) { await perform(number) } })
    }

    private func perform(_ number: Int) async {
        let admission = await admit()
        let names = gather(for: number)
        isEntering = false
        startCall()
        let questions = names.compactMap { lookups[$0]?.question }
        let answers =
            questions.isEmpty ? [] : await inTrace(ofAll: questions.map(\.span)) { await ask(questions, admission) }
        admission?.giveBack()
        for (name, answer) in zip(names, answers) where lookups[name]?.call == number { end(name, answer) }
        calls[number] = nil
        startCall()
    }

    /// The waiting payments whose turn it is.
    private func gather(for number: Int) -> [String] {
        var names: [String] = []
        while names.count < terms.batchLimit, let name = waiting.popFirst() {
            lookups[name]?.call = number
            names.append(name)
        }
        calls[number]?.lookups = names.count
        return names
    }

    // MARK: Deadlines

    /// Sleeps until the earliest deadline, as long as a caller waits.
    private func startTimer() {
        guard timer == nil, let earliest = lookups.values.map(\.deadline).min() else { return }
        timer = Task {
            try? await time.sleep(until: earliest)
            endOverdue()
        }
    }

    private func endOverdue() {
        timer = nil
        let now = time.instant
        for (name, lookup) in lookups where lookup.deadline <= now {
            end(name, .failure(GatewayError(.timeout, message: "no response within \(terms.patience)")))
        }
        startTimer()
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

extension GatewayError {
    fileprivate static let callerLeft = GatewayError(.cancelled, message: "the caller was cancelled")
    fileprivate static let noRoom = GatewayError(.overloaded, message: "too many look-ups are waiting")
}
