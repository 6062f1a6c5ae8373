import Foundation
import Ledger
import LedgerWire
import Timing

/// The request of an endpoint.
struct EndpointRequestBody: Decodable {
    let url: String
    let description: String?
    @AllIfAbsent var types: [String]?
    @AllIfAbsent var users: [String]?
    let after: EventNumber?

    typealias CodingKeys = EndpointRequest.CodingKeys
}

/// The request of a change of an endpoint.
struct EndpointChangeRequestBody: Decodable {
    let url: String?
    let description: String?
    let types: [String]?
    let users: [String]?
    let isEnabled: Bool?

    typealias CodingKeys = EndpointChangeRequest.CodingKeys
}

/// The request of a replay.
struct ReplayRequestBody: Decodable {
    let after: EventNumber
    @AllIfAbsent var until: EventNumber?
    @AllIfAbsent var onlyFailed: Bool?

    typealias CodingKeys = ReplayRequest.CodingKeys
}

/// A member with the number of an event, or 0.
struct EventNumber: Decodable, Sendable {
    let number: Int64

    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int64.self)
        guard number >= 0 else {
            let pointer = JSONPointer(decoder.codingPath).text
            throw Problem.invalid(pointer: pointer, "\(pointer) must be the number of an event, or 0")
        }
    }
}

extension [String]? {
    /// The types of a filter.
    func checkedTypes() throws(InputFault) -> [String] {
        let known = EventType.all.map(\.rawValue)
        for (index, type) in (self ?? []).enumerated() where !known.contains(type) {
            throw InputFault(
                "types/\(index)", NearestName.sentence("must be the type of an event", type, known: known))
        }
        return self ?? []
    }

    /// The users of a filter.
    package func checkedUsers() throws(InputFault) -> [String] {
        let users = self ?? []
        guard users.count <= 100 else { throw InputFault("users", "must have at most 100 ids") }
        for (index, user) in users.enumerated() where UserID(rawValue: user) == nil {
            throw InputFault("users/\(index)", "must be an id of \(UserID.rule)")
        }
        return users
    }
}

extension String? {
    /// The description of an endpoint.
    package func checkedDescription() throws(InputFault) -> String? {
        guard let text = self else { return nil }
        guard text.unicodeScalars.count <= 200,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw InputFault("description", "must have at most 200 characters, without control characters")
        }
        return text
    }
}

extension EndpointBody {
    /// - Parameter secret: the secret, in responses that show it.
    init(_ endpoint: Endpoint, secret: String? = nil) {
        self.init(
            id: endpoint.id, url: endpoint.url, description: endpoint.description, types: endpoint.filter.types,
            users: endpoint.filter.users, status: endpoint.status.rawValue,
            statusReason: endpoint.statusReason?.rawValue, failingSince: endpoint.failingSince,
            formerSecretUntil: endpoint.formerSecret.flatMap { $0.until > Time.current.now ? $0.until : nil },
            createdBy: endpoint.createdBy, createdAt: endpoint.createdAt, secret: secret)
    }
}

extension DeliveryBody {
    init(_ attempt: DeliveryAttempt) {
        self.init(
            event: attempt.seq, attemptedAt: attempt.attemptedAt, outcome: attempt.outcome, status: attempt.status,
            latency: attempt.latency, answer: attempt.answer)
    }

    /// The result of a test.
    init(_ attempt: WebhookSender.Attempt, at moment: Date) {
        self.init(
            event: nil, attemptedAt: moment, outcome: attempt.outcome.rawValue,
            status: attempt.status.map(Int64.init), latency: Int64(attempt.latency / .milliseconds(1)),
            answer: attempt.answer)
    }
}

extension ReplayBody {
    init(_ replay: Replay) {
        self.init(
            id: replay.id, position: replay.position, until: replay.until, onlyFailed: replay.onlyFailed,
            requestedBy: replay.requestedBy, requestedAt: replay.requestedAt, finishedAt: replay.finishedAt)
    }
}
