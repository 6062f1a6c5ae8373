import LedgerClient
import SoakHistory

extension Shopper {
    /// Sends an act until its outcome is known, to a service drawn anew each time, and then perhaps once more.
    ///
    /// - Parameters:
    ///   - answer: what the success says.
    ///   - body: the call, with the number of the service.
    func perform<Body: Sendable>(
        _ act: Act, _ answer: @escaping @Sendable (Body) -> Attempt.Answer?,
        _ call: @escaping @Sendable (Int) async throws -> Body
    ) async -> Body? {
        for round in 0..<40 where round == 0 || !isOver() {
            switch await attempt(act, answer, call) {
            case .success(let body):
                remember { await $0.attemptAgain(act, answer, call) }
                return body
            case .failure(.final): return nil
            // About as long as a client waits that follows Retry-After.
            case .failure(.unknown): try? await Task.sleep(for: .milliseconds(min(1000, 50 << min(round, 5))))
            }
        }
        return nil
    }

    private enum Miss: Error { case final, unknown }

    private func attemptAgain<Body: Sendable>(
        _ act: Act, _ answer: @escaping @Sendable (Body) -> Attempt.Answer?,
        _ call: @escaping @Sendable (Int) async throws -> Body
    ) async {
        _ = await attempt(act, answer, call)
    }

    private func attempt<Body>(
        _ act: Act, _ answer: (Body) -> Attempt.Answer?, _ call: (Int) async throws -> Body
    ) async -> Result<Body, Miss> {
        let service = drawService()
        let begun = recorder.now
        func note(_ outcome: Attempt.Outcome) {
            recorder.add(Attempt(act, from: begun, to: recorder.now, at: service, outcome))
        }
        do {
            let body = try await call(service)
            guard let answer = answer(body) else {
                note(.unknown("waiting"))
                return .failure(.unknown)
            }
            note(.done(answer))
            return .success(body)
        } catch let error as LedgerClientError {
            // These refusals are not recorded: an earlier attempt that is still on its way may be done.
            if let problem = error.problem, !problem.retryable, [.grantVoid, .gift, .merge].contains(act.kind) {
                note(.unknown(problem.code.rawValue))
                return .failure(.final)
            }
            if let problem = error.problem, !problem.retryable {
                note(.refused(problem.code.rawValue))
                return .failure(.final)
            }
            note(.unknown(error.problem?.code.rawValue ?? "\(error)".prefix(80).description))
        } catch {
            note(.unknown("\(error)".prefix(80).description))
        }
        return .failure(.unknown)
    }

    private func remember(_ again: @escaping @Sendable (Shopper) async -> Void) {
        user.state.withLock { state in
            state.repeatable.append(again)
            if state.repeatable.count > 50 { state.repeatable.removeFirst() }
        }
    }

    func repeatSomething() async {
        let choice = draw(0...49)
        let again = user.state.withLock { $0.repeatable.isEmpty ? nil : $0.repeatable[choice % $0.repeatable.count] }
        await again?(self)
    }

    /// Repeats every act that is remembered: the answers must be the first ones.
    func repeatAll() async {
        for again in user.state.withLock({ $0.repeatable }) { await again(self) }
    }
}
