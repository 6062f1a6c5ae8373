/// Compares the clients' answers with the books, as they are when everything has come to rest.
package struct Checker: Sendable {
    private let books: Books
    private let gateway: [PaymentRecord]
    private let entries: [Int64: Books.Entry]
    private let keyed: [String: [Int64?]]
    private let byReason: [String: [Books.Entry]]
    private let purchases: [String: [Books.Purchase]]
    private let orders: Set<String>

    package init(books: Books, gateway: [PaymentRecord]) {
        self.books = books
        self.gateway = gateway
        entries = Dictionary(books.entries.map { ($0.id, $0) }) { first, _ in first }
        keyed = Dictionary(grouping: books.keys, by: \.key).mapValues { $0.map(\.entry) }
        byReason = Dictionary(grouping: books.entries.filter { $0.reason != nil }) { $0.reason ?? "" }
        purchases = Dictionary(grouping: books.purchases, by: \.merchantUID)
        orders = Set(books.orders)
    }

    /// The same for one user's books only, which is faster.
    func ofOne(user: String?) -> Checker {
        guard let user else { return self }
        var own = books
        own.entries = books.entries.filter { $0.user == user || books.merges[$0.user] == user }
        own.purchases = books.purchases.filter { $0.user == user }
        let credited = Set(own.purchases.map(\.merchantUID))
        return Checker(books: own, gateway: gateway.filter { credited.contains($0.merchantUID) })
    }

    /// Everything that is wrong.
    package func violations(of history: History) -> [Violation] {
        let acts = Dictionary(grouping: history.attempts, by: \.act)
        var found = acts.keys.sorted { $0.key < $1.key }.flatMap { violations(of: $0, acts[$0] ?? []) }
        let reads = Dictionary(grouping: history.reads, by: \.user)
        let attempts = Dictionary(grouping: history.attempts, by: \.act.user)
        let owned = Dictionary(grouping: books.entries, by: \.user)
        for user in Set(owned.keys).union(reads.keys).sorted() {
            found += violations(of: user, owned, attempts[user] ?? [], reads[user] ?? [])
        }
        return found + gatewayViolations() + trialBalanceViolations()
    }

    // MARK: - Acts

    private func violations(of act: Act, _ attempts: [Attempt]) -> [Violation] {
        var found: [Violation] = []
        func add(_ rule: Violation.Rule, _ detail: String) {
            found.append(Violation(rule, user: act.user, "\(act.kind.rawValue) \(act.key): \(detail)", keys: [act.key]))
        }
        let answers = attempts.compactMap(\.answer)
        let done = done(act)
        if let lost = answers.first(where: { act.kind == .order ? !orders.contains($0.record) : done.isEmpty }) {
            add(.acknowledgedActMissing, "answered as \(lost.record), and not in the books")
        }
        if done.count > 1 { add(.actTwice, "entries \(done.sorted())") }
        if Set(answers.map(\.record)).count > 1 {
            add(.replayDiffers, Set(answers.map(\.record)).sorted().joined(separator: "; then "))
        }
        if let named = answers.compactMap(\.entry).first(where: { !done.contains($0) }), !done.isEmpty {
            add(.actDiffers, "answered with entry \(named), but the books have \(done.sorted())")
        }
        if !done.isEmpty, let refusal = attempts.lazy.compactMap(\.refusal).first {
            add(.actDiffers, "refused (\(refusal)), and in the books as \(done.sorted())")
        }
        for entry in done.compactMap({ entries[$0] }) {
            if entry.user != act.user, entry.user != books.merges[act.user] {
                add(.actDiffers, "entry \(entry.id) is of \(entry.user)")
            }
            if entry.kind != act.kind.entryKind { add(.actDiffers, "entry \(entry.id) is a \(entry.kind)") }
            if let coins = act.coins, coins != entry.coins {
                add(.actDiffers, "\(coins) coins were asked for, entry \(entry.id) moves \(entry.coins)")
            }
        }
        return found
    }

    /// The entries of an act: those recorded under its key, and those that give its key as their reason.
    private func done(_ act: Act) -> Set<Int64> {
        switch act.kind {
        case .order: return []
        case .receipt: return Set((purchases[act.key] ?? []).map(\.entry))
        default:
            let recorded = (keyed[act.key] ?? []).compactMap(\.self)
            let named = (byReason[act.key] ?? []).filter { $0.kind == act.kind.entryKind }.map(\.id)
            return Set(recorded).union(named)
        }
    }

    // MARK: - Users

    private func violations(
        of user: String, _ owned: [String: [Books.Entry]], _ attempts: [Attempt], _ reads: [Read]
    ) -> [Violation] {
        let history = UserHistory(user: user, entries: owned[user] ?? [])
        var found = history.problems.map { Violation(.walletDiffers, user: user, $0) }
        var model = SequentialModel(books, owned)
        if found.isEmpty, let difference = model.firstDifference(in: history) {
            found.append(Violation(.walletDiffers, user: user, difference))
        }
        for attempt in attempts {
            guard let answer = attempt.answer, let balance = answer.balance, let entry = answer.entry,
                let place = history.places[entry], !history.statesOfAct(at: place).contains(balance)
            else { continue }
            found.append(
                Violation(
                    .readOutsideItsTime, user: user,
                    "\(attempt.act.kind.rawValue) \(attempt.act.key) was answered with \(balance), "
                        + "but entry \(entry) led to \(history.states[place + 1])", keys: [attempt.act.key]))
        }
        let check = ReadCheck(history, attempts: attempts) { done($0).min() }
        return found + check.violations(of: reads)
    }

    // MARK: - The whole

    private func gatewayViolations() -> [Violation] {
        let known = Dictionary(gateway.map { ($0.merchantUID, $0) }) { first, _ in first }
        let unpaid = books.purchases.filter { (known[$0.merchantUID]?.paid ?? 0) != $0.amount }.map { purchase in
            Violation(
                .gatewayDiffers, user: purchase.user,
                "purchase \(purchase.id) of \(purchase.amount), paid \(known[purchase.merchantUID]?.paid ?? 0)",
                keys: [purchase.merchantUID])
        }
        let others = gateway.compactMap { payment -> Violation? in
            let credited = purchases[payment.merchantUID] ?? []
            guard let purchase = credited.first else {
                // Cancelled before it was credited: nothing is due.
                return payment.paid == payment.cancelled
                    ? nil
                    : Violation(
                        .gatewayDiffers, "\(payment.merchantUID): paid \(payment.paid), not credited",
                        keys: [payment.merchantUID])
            }
            if credited.count > 1 {
                return Violation(
                    .actTwice, user: purchase.user, "\(payment.merchantUID): purchases \(credited.map(\.id))",
                    keys: [payment.merchantUID])
            }
            guard purchase.refunded != payment.cancelled else { return nil }
            return Violation(
                .gatewayDiffers, user: purchase.user,
                "purchase \(purchase.id): \(payment.cancelled) cancelled at the gateway, \(purchase.refunded) in the books",
                keys: [payment.merchantUID])
        }
        return unpaid + others
    }

    private func trialBalanceViolations() -> [Violation] {
        books.trialBalance.filter { $0.debits != $0.credits }.map {
            Violation(.trialBalance, "\($0.currency): debits \($0.debits), credits \($0.credits)")
        }
    }
}

extension Attempt {
    /// Why nothing was done.
    ///
    /// A refund that the gateway refuses leaves two entries: it was begun and taken back.
    fileprivate var refusal: String? {
        if case .refused(let code) = outcome, code != "refund_refused" { code } else { nil }
    }
}

extension Books.Entry {
    /// The coins that an act moves, as its request counts them.
    fileprivate var coins: Int64 {
        switch kind {
        case "grant", "purchase": change(of: "wallet:")
        case "capture", "void": released
        // Bonus coins come in addition.
        case "refund_hold": -change(of: "wallet:paid")
        default: taken
        }
    }
}

extension UserHistory {
    /// The balances that the answer to an act may give: after its entry, or after the entries of the same act, such as
    /// the payment of a debt, or the return of the rest of a hold.
    fileprivate func statesOfAct(at place: Int) -> [Coins] {
        var states = [self.states[place + 1]]
        var next = place + 1
        while next < entries.count, entries[next].transaction == entries[place].transaction,
            ["debt_payment", "void"].contains(entries[next].kind)
        {
            states.append(self.states[next + 1])
            next += 1
        }
        return states
    }
}
