import TestSupport
import Testing

/// The service is killed while it does an act of finance, and many callers send one at once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FinanceActTests {
    /// How far the act is when the service is killed.
    enum Moment: CaseIterable {
        case nothingIsWritten, committedWithoutAReply, answered
    }

    @Test(arguments: FinanceAct.allCases)
    func `an act whose service is killed is done once, and its repeat gets the first response`(
        _ act: FinanceAct
    ) async throws {
        try await FinanceStage.with(act) { stage in
            for moment in Moment.allCases {
                let request = try await stage.prepare()
                let before = try await stage.records
                let first = try await stage.kill(at: moment, of: request, act)
                let isDone = try await stage.records - before
                #expect(isDone == (moment == .nothingIsWritten ? 0 : 1), "\(moment)")

                let answer = try await stage.service.send(request)
                #expect((200..<300).contains(answer.status), "\(moment): \(answer)")
                #expect(answer.isReplayed == (act.isKeyed && isDone == 1), "\(moment)")
                if let first { #expect(answer.status == first.status && answer.json == first.json) }
                let again = try await stage.service.send(request)
                #expect(again.json == answer.json && again.isReplayed == act.isKeyed, "\(moment): \(again)")
                #expect(try await stage.records == before + 1, "\(moment)")
            }
        }
    }

    @Test(arguments: FinanceAct.allCases)
    func `an act that is sent eight times at once to two processes is done once`(_ act: FinanceAct) async throws {
        try await FinanceStage.with(act) { stage in
            let services = [stage.service, try await stage.serve()]
            let request = try await stage.prepare()
            let before = try await stage.records
            let answers = try await together(8) { number in try await services[number % 2].persist(request) }
            let first = sure(answers.first)
            #expect((200..<300).contains(first.status), "\(first)")
            #expect(answers.allSatisfy { $0.status == first.status && $0.json == first.json }, "\(answers)")
            if act.isKeyed { #expect(answers.count { $0.isReplayed } == 7) }
            #expect(try await stage.records == before + 1)
        }
    }

    @Test(arguments: FinanceAct.allCases.filter { $0.rivals != .independent })
    func `of eight callers who do the same at once, one does it`(_ act: FinanceAct) async throws {
        try await FinanceStage.with(act) { stage in
            let services = [stage.service, try await stage.serve()]
            let request = try await stage.prepare()
            let before = try await stage.records
            let answers = try await together(8) { number in
                try await services[number % 2].send(request.by("rival-\(number)"))
            }
            let winners = answers.filter { (200..<300).contains($0.status) }
            let winner = try #require(winners.first, "\(answers)")
            if case .refused(let code) = act.rivals {
                #expect(winners.count == 1, "\(winners)")
                #expect(answers.count { $0.code == code && [409, 422].contains($0.status) } == 7, "\(answers)")
            } else {
                #expect(answers.allSatisfy { $0.json == winner.json }, "\(answers)")
            }
            #expect(try await stage.records == before + 1)
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
