import TestSupport
import Testing

/// The service is killed while it does an act of finance, and many callers send one at once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FinanceActTests {
    /// How far the act is when the service is killed.
    enum Moment: CaseIterable {
        case nothingIsWritten, committedWithoutAReply, answered
    }

    /// In the fast tier each act is killed at one moment, and each moment hits a third of the acts.
    private static func moments(of act: FinanceAct) -> [Moment] {
        if Effort.includesSlow { return Moment.allCases }
        let number = sure(FinanceAct.all.firstIndex { $0.name == act.name })
        return [Moment.allCases[number % Moment.allCases.count]]
    }

    @Test func `an act whose service is killed is done once, and its repeat gets the first response`() async throws {
        try await FinanceStage.check(FinanceAct.all, killing: true) { stage, act in
            for moment in Self.moments(of: act) {
                let request = try await stage.prepare()
                let before = try await stage.records
                let first = try await stage.kill(at: moment, of: request, act)
                let isDone = try await stage.records - before
                #expect(isDone == (moment == .nothingIsWritten ? 0 : 1), "\(act), \(moment)")

                let answer = try await stage.service.send(request)
                #expect((200..<300).contains(answer.status), "\(act), \(moment): \(answer)")
                #expect(answer.isReplayed == (act.isKeyed && isDone == 1), "\(act), \(moment)")
                if let first {
                    #expect(answer.status == first.status && answer.json == first.json, "\(act), \(moment)")
                }
                let again = try await stage.service.send(request)
                #expect(again.json == answer.json && again.isReplayed == act.isKeyed, "\(act), \(moment): \(again)")
                #expect(try await stage.records == before + 1, "\(act), \(moment)")
            }
        }
    }

    @Test func `an act that is sent eight times at once to two services is done once`() async throws {
        try await FinanceStage.check(FinanceAct.all) { stage, act in
            let services = try await stage.services()
            let request = try await stage.prepare()
            let before = try await stage.records
            let answers = try await together(8) { number in try await services[number % 2].persist(request) }
            let first = sure(answers.first)
            #expect((200..<300).contains(first.status), "\(act): \(first)")
            #expect(answers.allSatisfy { $0.status == first.status && $0.json == first.json }, "\(act): \(answers)")
            if act.isKeyed { #expect(answers.count { $0.isReplayed } == 7, "\(act)") }
            #expect(try await stage.records == before + 1, "\(act)")
        }
    }

    @Test func `of eight callers who do the same at once, one does it`() async throws {
        let acts = FinanceAct.all.filter { $0.rivals != .independent }
        try await FinanceStage.check(acts) { stage, act in
            let services = try await stage.services()
            let request = try await stage.prepare()
            let before = try await stage.records
            let answers = try await together(8) { number in
                try await services[number % 2].send(request.by("rival-\(number) of \(request.caller)"))
            }
            let winners = answers.filter { (200..<300).contains($0.status) }
            let winner = try #require(winners.first, "\(act): \(answers)")
            if case .refused(let code) = act.rivals {
                #expect(winners.count == 1, "\(act): \(winners)")
                #expect(
                    answers.count { $0.code == code && [409, 422].contains($0.status) } == 7, "\(act): \(answers)")
            } else {
                #expect(answers.allSatisfy { $0.json == winner.json }, "\(act): \(answers)")
            }
            #expect(try await stage.records == before + 1, "\(act)")
        }
    }
}

extension Answer {
    fileprivate var isReplayed: Bool { headers["Idempotent-Replayed"] == "true" }
}

extension FinanceStage {
    /// Kills the service when it has come so far with the act, and starts its successor.
    ///
    /// - Returns: its response, if it gave one.
    fileprivate func kill(
        at moment: FinanceActTests.Moment, of request: ActRequest, _ act: FinanceAct
    ) async throws -> Answer? {
        let victim = service
        if moment == .answered {
            let answer = try await victim.send(request)
            try await replaceService()
            return answer
        }
        let fired = proxy.firedFaults
        let reply = act.isOneStatement ? "" : "COMMIT"
        proxy.arm(
            .stall,
            when: moment == .nothingIsWritten
                ? .clientSends(request.caller) : .serverReplies(reply, to: request.caller))
        let lost = Task { try? await victim.send(request) }
        try await eventually("the proxy holds it back") { proxy.firedFaults == fired + 1 }
        try await replaceService()
        #expect(await lost.value == nil)
        return nil
    }
}
