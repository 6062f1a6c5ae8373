import Batching

/// Look-ups of payments at one gateway: who asks for the same payment shares one, and who waits shares the next call.
///
/// A call waits for a place among the calls and for the rate limit before it is decided what it asks: whatever has come
/// by then goes with it, as far as the gateway takes many at once, and callers take turns at its places
/// (``GatewayCaller``). A phone that lost its connection asks again at once, and a webhook tends to come in the same
/// second as the client: both are one look-up. Nothing is remembered after the answer.
///
/// A look-up has one deadline, that of the first who asked, and one timer serves them all. Whoever is cancelled leaves at
/// once; a call goes on for the others, and ends with the last of them.
actor SharedLookups {
    typealias Outcome = Result<GatewayPayment, GatewayError>

    /// How look-ups are gathered into calls.
    struct Terms: Sendable {
        /// How many payments one call may ask for.
        var batchLimit = 1
        /// How many calls may be under way at once.
        var callsAtOnce = Int.max
        /// How many look-ups may wait for a call.
        var maxWaiting = 10_000
        /// How long a look-up may take in all.
        var patience: Duration = .seconds(10)
    }

    /// What the gateway is asked about.
    struct Question: Sendable {
        let receipt: Receipt
        /// On whose behalf it was asked first.
        let caller: GatewayCaller
    }

    /// One payment that is asked for, and who waits for it.
    private struct Lookup {
        let question: Question
        let deadline: ContinuousClock.Instant
        /// The call that asks; nil while it waits for one.
        var call: Int?
        var callers: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    /// A call, and how many look-ups are still interested in its answer.
    private struct Call {
        let task: Task<Void, Never>
        var lookups = 0
    }

    /// Waits until a call may be made; nil when that can't be known before it is made.
    typealias Admit = @Sendable () async -> Admission?
    /// Asks the gateway, and answers each question, in order.
    typealias Ask = @Sendable (_ questions: [Question], _ admission: Admission?) async -> [Outcome]

    private let terms: Terms
    private let admit: Admit
    private let ask: Ask
    /// By the gateway's name of the payment.
    private var lookups: [String: Lookup] = [:]
    /// Those for which there is no call yet.
    private(set) var waiting = Turns<String>()
    private var calls: [Int: Call] = [:]
    /// Whether a call waits for its admission: one at a time does, for what comes meanwhile goes with it.
    private var isEntering = false
    private var isTimed = false
    private var lastNumber = 0

    init(_ terms: Terms, admit: @escaping Admit = { nil }, ask: @escaping Ask) {
        self.terms = terms
        self.admit = admit
        self.ask = ask
    }

    /// Asks the gateway for a payment, or joins whoever is asking for the same.
    ///
    /// - Throws: ``GatewayError``; `timeout` when there is no answer in time.
    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        let caller = nextNumber()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in join(caller, receipt, continuation) }
        } onCancel: {
            Task { await leave(caller, receipt) }
        }
        return try answer.get()
    }

    // MARK: Callers

    private func join(_ caller: Int, _ receipt: Receipt, _ continuation: CheckedContinuation<Outcome, Never>) {
        // Who is cancelled before can't be told to leave any more; who is after this line has joined by then.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.callerLeft)) }
        let name = receipt.paymentName
        if lookups[name] == nil {
            guard waiting.count < terms.maxWaiting else { return continuation.resume(returning: .failure(.noRoom)) }
            let question = Question(receipt: receipt, caller: .current)
            lookups[name] = Lookup(question: question, deadline: .now + terms.patience)
            waiting.append(name, in: question.caller.lane)
        }
        lookups[name]?.callers[caller] = continuation
        startCall()
        startTimer()
    }

    private func leave(_ caller: Int, _ receipt: Receipt) {
        let name = receipt.paymentName
        guard let continuation = lookups[name]?.callers.removeValue(forKey: caller) else { return }
        continuation.resume(returning: .failure(.callerLeft))
        if lookups[name]?.callers.isEmpty == true { end(name, .failure(.callerLeft)) }
    }

    /// Answers all who wait for a payment; a call that nobody waits for any more ends.
    private func end(_ name: String, _ outcome: Outcome) {
        guard let lookup = lookups.removeValue(forKey: name) else { return }
        for continuation in lookup.callers.values { continuation.resume(returning: outcome) }
        guard let call = lookup.call else {
            _ = waiting.remove(from: lookup.question.caller.lane) { $0 == name }
            return
        }
        calls[call]?.lookups -= 1
        if calls[call]?.lookups == 0 { calls[call]?.task.cancel() }
    }

    // MARK: Calls

    private func startCall() {
        guard !isEntering, !waiting.isEmpty, calls.count < terms.callsAtOnce else { return }
        isEntering = true
        let number = nextNumber()
        // Not a child of the caller's task: others may wait for it, and none may cancel it for them.
        calls[number] = Call(task: Task { await perform(number) })
    }

    private func perform(_ number: Int) async {
        let admission = await admit()
        let names = gather(for: number)
        isEntering = false
        startCall()
        let questions = names.compactMap { lookups[$0]?.question }
        let answers = questions.isEmpty ? [] : await ask(questions, admission)
        admission?.giveBack()
        for (name, answer) in zip(names, answers) where lookups[name]?.call == number { end(name, answer) }
        calls[number] = nil
        startCall()
    }

    /// The payments that the call asks for: of those that wait, those whose turn it is.
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

    /// Sleeps until the earliest deadline, and on while anybody waits.
    private func startTimer() {
        guard !isTimed, let earliest = lookups.values.map(\.deadline).min() else { return }
        isTimed = true
        Task {
            try? await Task.sleep(until: earliest)
            endOverdue()
        }
    }

    private func endOverdue() {
        isTimed = false
        let now = ContinuousClock.now
        for (name, lookup) in lookups where lookup.deadline <= now {
            end(name, .failure(GatewayError(.timeout, message: "no answer within \(terms.patience)")))
        }
        startTimer()
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

extension Receipt {
    /// The gateway's name of the payment: what it is asked for.
    fileprivate var paymentName: String {
        switch self {
        case .v1(let impUID, _): impUID.text
        case .v2(let paymentID): paymentID.text
        }
    }
}

extension GatewayError {
    fileprivate static let callerLeft = GatewayError(.cancelled, message: "the caller was cancelled")
    fileprivate static let noRoom = GatewayError(.overloaded, message: "too many look-ups wait")
}
