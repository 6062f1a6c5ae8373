import SoakHistory
import Testing

@Suite(.timeLimit(.minutes(20))) struct CheckerTests {
    @Test func `a correct run violates nothing`() {
        #expect(SmallRun().violations == [])
    }

    @Test func `a lost acknowledged act is found, with its key`() throws {
        for key in ["grant-1", "spend-1", "refund-1"] {
            var run = SmallRun()
            run.books.entries.removeAll { $0.reason == key }
            run.books.keys.removeAll { $0.key == key }
            let found = try #require(run.violations.first { $0.rule == .acknowledgedActMissing })
            #expect(found.keys == [key])
        }
    }

    @Test func `a lost purchase is found, although the gateway has its payment`() {
        var run = SmallRun()
        run.books.purchases = []
        run.books.entries.removeAll { $0.kind == "purchase" }
        #expect(run.rules.isSuperset(of: [.acknowledgedActMissing, .gatewayDiffers]))
    }

    /// 9 of 1,000 won are less than one of 100 coins, and count when the next 6 won are cancelled.
    @Test func `a cancellation that takes no coins is counted with the next one`() {
        var run = SmallRun()
        for (won, changes) in [(9, [:]), (6, ["wallet:paid": -1])] as [(Int64, [String: Int64])] {
            run.post("claw_back", "purchase:7", changes)
            run.books.clawBacks[run.books.entries.last?.id ?? 0] = won
        }
        run.books.purchases[0].refunded += 15
        run.gateway = [PaymentRecord(merchantUID: "order-1", paid: 1000, cancelled: 285)]
        #expect(run.violations == [])
        run.books.entries.removeAll { $0.lines.isEmpty }
        #expect(run.rules == [.walletDiffers])
    }

    @Test func `a lost order is found`() {
        var run = SmallRun()
        run.books.orders = []
        #expect(run.rules == [.acknowledgedActMissing])
    }

    @Test func `an act done twice is found, whether it was acknowledged or not`() {
        for isAnswered in [true, false] {
            var run = SmallRun()
            run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5], isAnswered: isAnswered)
            if !isAnswered { run.attempt(Act(.grant, of: "ann", key: "grant-2", coins: 5), .unknown("timeout")) }
            run.post("grant", "lot:21", ["wallet:bonus": 5], key: "grant-2")
            #expect(run.rules == [.actTwice])
        }
    }

    @Test func `a payment credited twice is found`() {
        var run = SmallRun()
        var second = run.books.purchases[0]
        run.post("purchase", "purchase:8", ["wallet:paid": 100, "wallet:bonus": 10])
        second.id = 8
        second.entry = run.books.entries.last?.id ?? 0
        run.books.purchases.append(second)
        #expect(run.rules.contains(.actTwice))
    }

    @Test func `a repeat with another answer is found`() {
        var run = SmallRun()
        run.answer(run.act(.grant, "grant-1", 5), .init(record: "another entry"))
        #expect(run.rules == [.replayDiffers])
    }

    @Test func `an act with other coins than asked for, or for another user, is found`() {
        var run = SmallRun()
        run.keyed(.grant, "grant-2", 6, "grant", "lot:20", ["wallet:bonus": 5])
        #expect(run.rules == [.actDiffers])
        run = SmallRun()
        run.answer(Act(.grant, of: "bob", key: "grant-1", coins: 5), .init(record: "entry 102"))
        #expect(run.rules.contains(.actDiffers))
    }

    @Test func `an act that was refused and done is found`() {
        var run = SmallRun()
        run.attempt(run.act(.spend, "spend-1", 12), .refused("insufficient_coins"))
        #expect(run.rules == [.actDiffers])
    }

    @Test func `an unknown act may be in the books once, or not at all`() {
        var run = SmallRun()
        run.attempt(run.act(.grant, "grant-lost", 5), .unknown("timeout"))
        run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5], isAnswered: false)
        run.attempt(Act(.grant, of: "ann", key: "grant-2", coins: 5), .unknown("timeout"))
        #expect(run.violations == [])
    }
}

@Suite(.timeLimit(.minutes(20))) struct WalletCheckTests {
    @Test func `coins that no act explains are found`() {
        var run = SmallRun()
        run.keyed(.spend, "spend-2", 7, "spend", "user:ann", ["wallet:paid": -6])
        #expect(run.rules.contains(.actDiffers))
        run = SmallRun()
        // All bonus coins are used up, so that a spend takes paid ones.
        run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
        run.keyed(.spend, "spend-2", 5, "spend", "user:ann", ["wallet:paid": -5])
        #expect(run.rules == [.walletDiffers])
    }

    @Test func `more coins than there are can't be spent`() {
        var run = SmallRun()
        run.keyed(.spend, "spend-2", 500, "spend", "user:ann", ["wallet:paid": -500])
        #expect(run.rules == [.walletDiffers])
    }

    @Test func `a grant is voided from its own coins only`() {
        func rules(_ coins: Int64, of lot: String) -> Set<Violation.Rule> {
            var run = SmallRun()
            run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
            run.keyed(.grant, "grant-3", 5, "grant", "lot:21", ["wallet:bonus": 5])
            run.keyed(.grantVoid, "grant-void-1", nil, "grant_void", lot, ["wallet:bonus": -coins])
            return run.rules
        }
        #expect(rules(4, of: "lot:20").isEmpty)
        #expect(rules(6, of: "lot:20") == [.walletDiffers])
        // Its coins are used.
        #expect(rules(1, of: "lot:9") == [.walletDiffers])
    }

    @Test func `given coins are those of grants, and the receiver's`() {
        func rules(_ coins: Int64, received: Int64) -> Set<Violation.Rule> {
            var run = SmallRun()
            run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
            run.keyed(.gift, "gift-1", coins, "gift_sent", "gift:30", ["wallet:bonus": -coins])
            run.owner = "bob"
            run.post("gift_received", "gift:30", ["wallet:bonus": received])
            run.keyed(.spend, "spend-2", 2, "spend", "user:bob", ["wallet:bonus": -2])
            run.read()
            return run.rules
        }
        #expect(rules(2, received: 2).isEmpty)
        #expect(rules(6, received: 6) == [.walletDiffers])
        #expect(rules(2, received: 1) == [.walletDiffers])
    }

    @Test func `all that a merged user has is the other's, as are acts under the former id`() {
        func rules(held: Int64 = 3, isKnown: Bool = true) -> Set<Violation.Rule> {
            var run = SmallRun()
            run.owner = "bob"
            run.keyed(.grant, "grant-2", 7, "grant", "lot:20", ["wallet:bonus": 7])
            run.keyed(.hold, "hold-2", 3, "hold", "hold:21", ["wallet:bonus": -3, "held:bonus": 3])
            run.post("merge_sent", "merge:bob", ["wallet:bonus": -4, "held:bonus": -3])
            run.owner = "ann"
            run.keyed(.merge, "merge-1", nil, "merge_received", "merge:bob", ["wallet:bonus": 4, "held:bonus": held])
            if isKnown { run.books.merges = ["bob": "ann"] }
            run.keyed(.capture, "capture-2", 3, "capture", "hold:21", ["held:bonus": -3])
            run.post("spend", "user:ann", ["wallet:bonus": -1], key: "spend-2")
            run.answer(
                Act(.spend, of: "bob", key: "spend-2", coins: 1), .init(record: "", entry: run.books.entries.last?.id))
            run.keyed(.grantVoid, "grant-void-1", nil, "grant_void", "lot:20", ["wallet:bonus": -3])
            run.read()
            return run.rules
        }
        #expect(rules().isEmpty)
        #expect(rules(held: 4) == [.walletDiffers])
        #expect(rules(isKnown: false) == [.actDiffers])
    }

    @Test func `a missing posting and a wrong balance are found`() {
        var run = SmallRun()
        run.books.entries.removeAll { $0.kind == "spend" }
        #expect(run.rules.contains(.walletDiffers))
        run = SmallRun()
        run.books.entries[2].lines[0].balance += 1
        #expect(run.rules.contains(.walletDiffers))
    }
}

@Suite(.timeLimit(.minutes(20))) struct ReadCheckTests {
    @Test func `a balance without an act that was acknowledged before is found`() throws {
        var run = SmallRun()
        let before = run.coins
        run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
        run.read(before)
        let found = try #require(run.violations.first)
        #expect(run.rules == [.ownActNotSeen])
        #expect(found.keys == ["grant-2"])
    }

    @Test func `a balance older than one that was read before is found`() {
        var run = SmallRun()
        let before = run.coins
        run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5], isAnswered: false)
        run.attempt(Act(.grant, of: "ann", key: "grant-2", coins: 5), .unknown("timeout"))
        run.read()
        run.read(before)
        #expect(run.rules == [.ownActNotSeen])
    }

    @Test func `a balance that was never true is found`() {
        var run = SmallRun()
        var coins = run.coins
        coins.bonus += 1
        run.read(coins)
        #expect(run.rules == [.readOutsideItsTime])
    }

    @Test func `a balance from the future is found`() {
        var run = SmallRun()
        let read = run.history.reads.count
        run.read()
        run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
        let early = run.history.reads[read]
        run.history.reads[read] = Read(of: "ann", from: early.begun, to: early.ended, at: 1, run.coins)
        #expect(run.rules == [.readOutsideItsTime])
    }

    @Test func `an answer with another balance than its entry's is found`() {
        var run = SmallRun()
        let act = run.act(.grant, "grant-2", 5)
        run.post("grant", "lot:20", ["wallet:bonus": 5], key: "grant-2")
        var coins = run.coins
        coins.paid += 1
        run.answer(act, .init(record: "entry", entry: run.books.entries.last?.id, balance: coins))
        #expect(run.rules == [.readOutsideItsTime])
    }

    @Test func `while an act is under way, a read may show it or not`() {
        for shows in [true, false] {
            var run = SmallRun()
            let before = run.coins
            run.keyed(.grant, "grant-2", 5, "grant", "lot:20", ["wallet:bonus": 5])
            let attempt = run.history.attempts.removeLast()
            run.history.attempts.append(
                Attempt(attempt.act, from: attempt.begun, to: attempt.ended + 100, at: 0, attempt.outcome))
            run.history.reads.append(
                Read(of: "ann", from: attempt.begun + 1, to: attempt.ended, at: 1, shows ? run.coins : before))
            #expect(run.violations == [])
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct WholeCheckTests {
    @Test func `a payment that is not credited is found, and a cancellation that is not in the books`() {
        var run = SmallRun()
        run.gateway.append(PaymentRecord(merchantUID: "order-2", paid: 1000, cancelled: 0))
        #expect(run.rules == [.gatewayDiffers])
        run = SmallRun()
        run.gateway[0] = PaymentRecord(merchantUID: "order-1", paid: 1000, cancelled: 1000)
        #expect(run.rules == [.gatewayDiffers])
        run = SmallRun()
        run.gateway.append(PaymentRecord(merchantUID: "order-2", paid: 1000, cancelled: 1000))
        #expect(run.rules == [])
    }

    @Test func `a trial balance that is not zero is found`() {
        var run = SmallRun()
        run.books.trialBalance[0].debits += 1
        #expect(run.rules == [.trialBalance])
    }

    @Test func `a run in which too little happened is a failure`() {
        let tally = Tally(SmallRun().history, faults: [])
        let shortfalls = tally.shortfalls(minutes: 1)
        #expect(Set(shortfalls.map(\.rule)) == [.tooLittleHappened])
        #expect(shortfalls.contains { $0.detail.contains("faults: 0") })
        #expect(shortfalls.contains { $0.detail.contains("acknowledged acts: 8") })
        #expect(!tally.shortfalls(minutes: 0.001).contains { $0.detail.contains("kind grant:") })
    }

    @Test func `the time without a commit is the longest gap in a fault`() {
        var history = History()
        let seconds = { (count: Double) in Moment(count * 1e9) }
        for moment in [1.0, 2, 3, 9, 10] {
            let act = Act(.grant, of: "ann", key: "\(moment)")
            history.attempts.append(Attempt(act, from: 0, to: seconds(moment), at: 0, .done(.init(record: ""))))
        }
        let fault = Tally.Fault(name: "kill-primary", begun: seconds(2.5), ended: seconds(12), isFailover: true)
        #expect(Tally(history, faults: [fault]).outages == [seconds(6)])
    }

    @Test func `a failure is shown with the fewest acts`() throws {
        var run = SmallRun()
        run.books.entries.removeAll { $0.reason == "grant-1" }
        run.books.keys.removeAll { $0.key == "grant-1" }
        let violation = try #require(run.violations.first { $0.rule == .acknowledgedActMissing })
        let smallest = Checker(books: run.books, gateway: run.gateway)
            .smallestHistory(of: run.history, showing: violation)
        #expect(smallest.attempts.map(\.act.key) == ["grant-1"])
        #expect(smallest.reads == [])
    }
}
