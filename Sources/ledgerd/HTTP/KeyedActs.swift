import Hummingbird
import Ledger

/// Performs acts that their callers name: what the controllers of spends, grants and holds have in common.
struct KeyedActs: Sendable {
    let ledger: Ledger
    let running: RunningKeys

    /// Reads a body, makes an act of it, performs it, and answers with what `render` makes of its success.
    ///
    /// A repeated request is answered like the first one, refusals too, with `Idempotent-Replayed: true`.
    ///
    /// - Throws: ``Problem`` for a key or body that is not valid and for what the ledger refuses; ``LedgerError``.
    func perform<Body: Decodable, A: KeyedAct, Value: Encodable>(
        _ request: Request, _ context: LedgerdRequestContext, status: HTTPResponse.Status, as: Body.Type,
        act: (Body, CallerKey) async throws -> A, render: (A.Success) -> Value
    ) async throws -> Response {
        try await perform(request, context, as: Body.self, act: act) { success, _ in
            try Response(status: status, json: render(success))
        }
    }

    /// The same, where more is to be done before there is an answer: the key's request runs until then.
    ///
    /// - Parameter respond: is told the success, and whether the request is a repeated one.
    func perform<Body: Decodable, A: KeyedAct>(
        _ request: Request, _ context: LedgerdRequestContext, as: Body.Type,
        act: (Body, CallerKey) async throws -> A, respond: (A.Success, Bool) async throws -> Response
    ) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let bytes = try await JSONBody.read(request, limit: context.maxUploadSize)
        // Where nothing has to be said, nothing at all may be.
        let body = try JSONBody.decode(Body.self, from: bytes.readableBytes == 0 ? ByteBuffer(string: "{}") : bytes)
        let act = try await act(body, key)
        return try await running.run(key) {
            let answer = try await ledger.submit(act)
            let replayed: HTTPFields = answer.isRepeat ? [.idempotentReplayed: "true"] : [:]
            do {
                switch answer.outcome {
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
}
