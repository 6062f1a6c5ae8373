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
    /// - Parameter act: performs the act, as at every other door.
    /// - Throws: ``Problem`` for an invalid key or body and for a refusal by the ledger; ``LedgerError``.
    func perform<Body: Decodable, Success, Value: Encodable>(
        _ request: Request, _ context: LedgerdRequestContext, status: HTTPResponse.Status, as: Body.Type,
        act: (Body, CallerKey) async throws -> Performed<Success>, render: (Success) -> Value
    ) async throws -> Response {
        try await perform(request, context, as: Body.self, act: act) { success in
            try Response(status: status, json: render(success))
        }
    }

    /// The same, with more work before the response.
    ///
    /// Until the response, repeats get `request_in_progress`.
    func perform<Body: Decodable, Success>(
        _ request: Request, _ context: LedgerdRequestContext, as: Body.Type,
        act: (Body, CallerKey) async throws -> Performed<Success>, respond: (Success) async throws -> Response
    ) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let bytes = try await JSONBody.read(request, limit: context.maxUploadSize)
        let body = try await decode(Body.self, from: bytes, key)
        return try await running.run(key) {
            var replayed: HTTPFields = [:]
            do {
                let performed = try await act(body, key)
                replayed = performed.headers()
                var response = try await respond(performed.success)
                response.headers.append(contentsOf: replayed)
                return response
            } catch let refused as RefusedAct {
                var problem = try await problem(of: refused, key)
                if refused.isRepeat { problem.headers[.idempotentReplayed] = "true" }
                throw problem
            } catch var problem as Problem {
                problem.headers.append(contentsOf: replayed)
                throw problem
            }
        }
    }

    /// Performs what is no request of the API, such as an act of the console, unless the same one is running.
    ///
    /// - Throws: ``Problem``, also for a refusal by the ledger; ``LedgerError``.
    func once<Made>(_ key: CallerKey, _ act: () async throws -> Made) async throws -> Made {
        try await running.run(key) {
            do {
                return try await act()
            } catch let error where error is RefusedAct || error is InputFault {
                throw Problem(any: error)
            }
        }
    }

    private func problem(of refused: RefusedAct, _ key: CallerKey) async throws -> Problem {
        guard refused.refusal == .idempotencyKeyReused else { return refused.problem }
        return Problem.keyReused(try await ledger.firstUse(of: key))
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
}
