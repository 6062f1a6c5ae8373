/// V1's look-ups by `imp_uid`.
///
/// Look-ups that wait share a call, up to a hundred.
///
/// A shared call gives the same results as single calls. The call for one payment hides test payments; the call for
/// many shows them, so they are hidden here (PortOne V1 contract, lookups). If the gateway doesn't say whether a
/// payment is a test, the call for one decides.
struct PortOneV1Lookups: Sendable {
    private typealias Outcome = SharedLookups.Outcome

    private let lookups: SharedLookups

    /// The maximum number of payments in one call (PortOne V1 contract, lookups).
    private static let batchLimit = 100

    init(_ client: PortOneV1Client) {
        let limits = client.configuration.limits
        let terms = SharedLookups.Terms(
            batchLimit: Self.batchLimit, callsAtOnce: limits.lookupsAtOnce, maxWaiting: limits.maxWaitingLookups,
            patience: limits.totalTimeout)
        lookups = SharedLookups(terms, time: client.calls.timing.time) {
            await client.admission()
        } ask: { questions, admission in
            // The turns were taken when these look-ups were gathered: the call belongs to all of them.
            await GatewayCaller.$current.withValue(.shared) { await Self.look(up: questions, client, admission) }
        }
    }

    /// The number of look-ups that wait for a call.
    var waiting: Int { get async { await lookups.waiting.count } }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        _ = try receipt.impUID
        return try await lookups.payment(for: receipt)
    }

    private static func look(
        up questions: [SharedLookups.Question], _ client: PortOneV1Client, _ admission: Admission?
    ) async -> [Outcome] {
        client.calls.metrics.batch(of: questions.count)
        do throws(GatewayError) {
            let impUIDs = try questions.map { question throws(GatewayError) in try question.receipt.impUID }
            if impUIDs.count == 1 { return [await one(impUIDs[0], client, admission)] }
            let answers = try await many(impUIDs, client, admission)
            return impUIDs.map { answers[$0] ?? .failure(unanswered) }
        } catch {
            return questions.map { _ in .failure(error) }
        }
    }

    private static func one(
        _ impUID: ImpUID, _ client: PortOneV1Client, _ admission: Admission? = nil
    ) async -> Outcome {
        do throws(GatewayError) {
            return .success(try await client.payment(impUID, admission))
        } catch {
            return .failure(error)
        }
    }

    private static func many(
        _ impUIDs: [ImpUID], _ client: PortOneV1Client, _ admission: Admission?
    ) async throws(GatewayError) -> [ImpUID: Outcome] {
        let found = try await client.payments(impUIDs, admission)
        var answers: [ImpUID: Outcome] = [:]
        var undecided: [ImpUID] = []
        for impUID in impUIDs {
            guard let payment = found.payments[impUID.text] else {
                answers[impUID] = .failure(found.tellsMissing ? unknown : unanswered)
                continue
            }
            guard case .success(let described) = payment, !client.configuration.includeTestPayments else {
                answers[impUID] = payment
                continue
            }
            switch described.isTest {
            case true?: answers[impUID] = .failure(unknown)
            case false?: answers[impUID] = payment
            case nil: undecided.append(impUID)
            }
        }
        return answers.merging(await each(undecided, client)) { $1 }
    }

    private static func each(_ impUIDs: [ImpUID], _ client: PortOneV1Client) async -> [ImpUID: Outcome] {
        await withTaskGroup(of: (ImpUID, Outcome).self) { group in
            for impUID in impUIDs { group.addTask { (impUID, await one(impUID, client)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// A 207 means that missing payments do not exist, like a 404 for one payment.
    private static let unknown = GatewayError(
        .notFound, isDefinite: true, httpStatus: 207, message: "the gateway does not know the payment")

    private static let unanswered = GatewayError(
        .malformedAnswer, httpStatus: 200, message: "the response does not contain this payment")
}
