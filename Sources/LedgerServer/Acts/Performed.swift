import HTTPTypes
package import Ledger

/// An act that is done, now or by an earlier request with its key.
package struct Performed<Success: Sendable>: Sendable {
    package let success: Success
    /// Whether it was done before.
    let isRepeat: Bool
}

extension Performed {
    /// The headers of the response.
    func headers(location: String? = nil) -> HTTPFields {
        var headers: HTTPFields = isRepeat ? [.idempotentReplayed: "true"] : [:]
        headers[.location] = location
        return headers
    }
}

/// The ledger refuses an act.
///
/// The acts of features throw it, and each door says it in its own way: a problem, a page, a line on the terminal.
struct RefusedAct: Error {
    let refusal: Refusal
    /// Whether it was refused before, under the same key.
    var isRepeat = false

    init(_ refusal: Refusal, isRepeat: Bool = false) {
        self.refusal = refusal
        self.isRepeat = isRepeat
    }
}

extension RefusedAct: ProblemConvertible {
    var problem: Problem { Problem(refusal) }
}

extension RefusedAct: CustomStringConvertible {
    /// The line of a command, which exits with 1: what the service would answer.
    var description: String { problem.detail ?? problem.code.title }
}

extension Ledger {
    /// Performs an act of a feature.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    package func perform<A: KeyedAct>(_ act: A) async throws -> Performed<A.Success> {
        let answer = try await submit(act)
        switch answer.outcome {
        case .done(let success): return Performed(success: success, isRepeat: answer.isRepeat)
        case .refused(let refusal): throw RefusedAct(refusal, isRepeat: answer.isRepeat)
        }
    }
}

extension Ledger {
    /// Submits acts together, so that they share batches, and returns their answers in the same order.
    ///
    /// An act that fails does not stop the others.
    func submitTogether<A: Act>(_ acts: [A]) async -> [Result<Answer<A.Success>, LedgerError>] {
        await withTaskGroup(of: (Int, Result<Answer<A.Success>, LedgerError>).self) { group in
            for (place, act) in acts.enumerated() {
                group.addTask {
                    do throws(LedgerError) {
                        return (place, .success(try await self.submit(act)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension Purchases {
    /// The purchase with this id, of any user.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    func require(_ id: Int64) async throws -> Purchase {
        guard let purchase = try await find(id) else { throw RefusedAct(.noSuchPurchase) }
        return purchase
    }

    /// The purchase with this id, of this user.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    package func require(_ id: Int64, of user: UserID) async throws -> Purchase {
        guard let purchase = try await find(id, of: user) else { throw RefusedAct(.noSuchPurchase) }
        return purchase
    }
}
