import Foundation

extension LedgerClient {
    /// Sends a call, with retries, and reads the response.
    func send<Body: Decodable>(_ call: Call, as: Body.Type = Body.self) async throws -> Body {
        try await perform(call).decode()
    }

    /// A list at a path.
    func listing<Item: ListedBody>(
        _ path: [String], query: [(String, String)] = [], pageSize: Int
    ) -> Listing<Item> {
        Listing { cursor in
            let next = cursor.map { [("cursor", $0)] } ?? []
            return try await send(.get(path, query: query + [("limit", "\(pageSize)")] + next))
        }
    }

    /// Sends a call, with retries, until it has a result.
    ///
    /// Renews an expired token once.
    func perform(_ call: Call) async throws -> ServiceAnswer {
        let begun = Date()
        var attempts = 0
        var isRenewed = false
        var token = call.isPublic ? nil : try await provideToken(insteadOf: nil)
        while true {
            do {
                attempts += 1
                let answer = try await transport.send(call.request(to: url, token: token))
                if let refusal = answer.refusal { throw refusal }
                return answer
            } catch let error as LedgerClientError {
                if error.code == .tokenExpired, !isRenewed {
                    isRenewed = true
                    token = try await provideToken(insteadOf: token)
                    continue
                }
                let pause = retries.pause(
                    after: attempts, elapsed: Date().timeIntervalSince(begun), asked: error.retryAfter)
                guard error.isRetryable, let pause else { throw error }
                try await Task.sleep(nanoseconds: UInt64(pause * 1e9))
            }
        }
    }

    private func provideToken(insteadOf expired: String?) async throws -> String {
        do {
            return try await token(expired)
        } catch {
            try Task.checkCancellation()
            throw LedgerClientError.token(error)
        }
    }
}
