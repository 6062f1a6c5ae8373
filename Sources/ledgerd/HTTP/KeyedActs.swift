import Hummingbird
import Ledger

/// Performs acts with an idempotency key, for the controllers of spends, grants, holds and refunds.
struct KeyedActs: Sendable {
    let ledger: Ledger
    let running: RunningKeys

    /// Reads a request's body, performs its act, and responds with the rendered success.
    ///
    /// A repeat gets the same response as the first request, also for a refusal, with `Idempotent-Replayed: true`.
    ///
    /// - Throws: ``Problem`` for an invalid key or body and for a refusal by the ledger; ``LedgerError``.
    func perform<Body: Decodable, A: KeyedAct, Value: Encodable>(
        _ request: Request, _ context: LedgerdRequestContext, status: HTTPResponse.Status, as: Body.Type,
        act: (Body, CallerKey) async throws -> A, render: (A.Success) -> Value
    ) async throws -> Response {
        try await perform(request, context, as: Body.self, act: act) { success, _ in
            try Response(status: status, json: render(success))
        }
    }

    /// The same, with more work before the response.
    ///
    /// Until the response, repeats get `request_in_progress`.
    ///
    /// - Parameter respond: gets the success, and whether the request is a repeat.
    func perform<Body: Decodable, A: KeyedAct>(
        _ request: Request, _ context: LedgerdRequestContext, as: Body.Type,
        act: (Body, CallerKey) async throws -> A, respond: (A.Success, Bool) async throws -> Response
    ) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let bytes = try await JSONBody.read(request, limit: context.maxUploadSize)
        let body = try await decode(Body.self, from: bytes, key)
        let act = try await act(body, key)
        return try await running.run(key) {
            let answer = try await ledger.submit(act)
            let replayed: HTTPFields = answer.isRepeat ? [.idempotentReplayed: "true"] : [:]
            do {
                switch answer.outcome {
                case .refused(.idempotencyKeyReused): throw Problem.keyReused(try await ledger.firstUse(of: key))
                case .refused(let refusal): throw Problem(refusal)
                case .done(let success):
                    var response = try await respond(success, answer.isRepeat)
                    response.headers.append(contentsOf: replayed)
                    return response
                }
            } catch var problem as Problem {
                problem.headers.append(contentsOf: replayed)
                throw problem
            }
        }
    }

    /// Decodes a body; an empty one is accepted if all members are optional.
    ///
    /// Earlier versions took `null` for all, and a repeat of such a request is still answered: its key is recorded, so
    /// nothing more can happen.
    private func decode<Body: Decodable>(
        _: Body.Type, from bytes: ByteBuffer, _ key: CallerKey
    ) async throws -> Body {
        let bytes = bytes.readableBytes == 0 ? ByteBuffer(string: "{}") : bytes
        do throws(Problem) {
            return try JSONBody.decode(Body.self, from: bytes)
        } catch {
            guard error.code == .wrongType, try await ledger.hasRecorded(key) else { throw error }
            return try JSONBody.decode(Body.self, from: bytes, droppingNulls: true)
        }
    }

    /// Performs an act that is no request of the API, such as one of the console.
    ///
    /// - Throws: ``Problem`` for a refusal by the ledger, and while the same act is running; ``LedgerError``.
    func submit<A: KeyedAct>(_ act: A) async throws -> (success: A.Success, isRepeat: Bool) {
        try await running.run(act.idempotencyKey) {
            let answer = try await ledger.submit(act)
            switch answer.outcome {
            case .refused(let refusal): throw Problem(refusal)
            case .done(let success): return (success, answer.isRepeat)
            }
        }
    }
}
