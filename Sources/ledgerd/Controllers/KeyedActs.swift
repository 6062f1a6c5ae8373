import Hummingbird
import Ledger

/// Performs acts that their callers name: what the controllers of spends, grants and holds have in common.
struct KeyedActs: Sendable {
    let ledger: Ledger
    let running: RunningKeys

    /// Reads a body, makes a command of it, performs it, and answers with what `render` makes of the outcome.
    ///
    /// A repeated request is answered like the first one, refusals too, with `Idempotent-Replayed: true`.
    ///
    /// - Throws: ``Problem`` for a key or body that is not valid and for what the ledger refuses; ``LedgerError``.
    func perform<Body: Decodable>(
        _ request: Request, _ context: LedgerdRequestContext, status: HTTPResponse.Status, as: Body.Type,
        command: (Body, IdempotencyKey) async throws -> Command, render: (Outcome) -> (any Encodable)?
    ) async throws -> Response {
        try await perform(request, context, as: Body.self, command: command) { answer in
            guard let value = render(answer.outcome) else {
                throw LedgerError.unexpected("an act is answered with the outcome of another")
            }
            return try Response(status: status, json: value)
        }
    }

    /// The same, where more is to be done before there is an answer: the key's request runs until then.
    func perform<Body: Decodable>(
        _ request: Request, _ context: LedgerdRequestContext, as: Body.Type,
        command: (Body, IdempotencyKey) async throws -> Command, respond: (Answer) async throws -> Response
    ) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let bytes = try await JSONBody.read(request, limit: context.maxUploadSize)
        // Where nothing has to be said, nothing at all may be.
        let body = try JSONBody.decode(Body.self, from: bytes.readableBytes == 0 ? ByteBuffer(string: "{}") : bytes)
        let command = try await command(body, key)
        return try await running.run(key) {
            let answer = try await ledger.submit(command)
            let replayed: HTTPFields = answer.isRepeat ? [.idempotentReplayed: "true"] : [:]
            do {
                if case .refused(let refusal) = answer.outcome { throw Problem(refusal) }
                var response = try await respond(answer)
                response.headers.append(contentsOf: replayed)
                return response
            } catch var problem as Problem {
                problem.headers.append(contentsOf: replayed)
                throw problem
            }
        }
    }
}
