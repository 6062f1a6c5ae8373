import Batching

/// V1's look-ups by `imp_uid`: one alone is asked for at once; those that come while all calls are busy share the next.
///
/// While they gather, callers take turns at the places of the next call (``GatewayCaller``). Either way gives the same answer. The look-up of one payment hides test payments; that of many shows them, so they
/// are hidden here (PortOne V1 contract, lookups). Where the gateway doesn't say whether a payment is a test, the
/// look-up of one decides.
struct PortOneV1Lookups: Sendable {
    private typealias Outcome = Result<GatewayPayment, GatewayError>

    private let client: PortOneV1Client
    private let queue: BatchQueue<ImpUID, GatewayPayment>

    /// The most that one call may ask for (PortOne V1 contract, lookups).
    private static let batchLimit = 100

    init(_ client: PortOneV1Client) {
        self.client = client
        let limits = client.configuration.limits
        queue = BatchQueue(
            capacity: limits.maxWaitingLookups, batchLimit: Self.batchLimit, concurrency: limits.lookupsAtOnce
        ) { impUIDs in
            // Whose turn it is was decided when these were gathered: the call is everybody's.
            let answers = await GatewayCaller.$current.withValue(.shared) { await Self.look(up: impUIDs, client) }
            return impUIDs.map { (answers[$0] ?? .failure(Self.unanswered)).mapError { $0 } }
        }
    }

    func payment(_ impUID: ImpUID) async throws(GatewayError) -> GatewayPayment {
        let queue = queue
        return try await within(client.configuration.limits.totalTimeout) {
            await abandonable {
                do {
                    return .success(try await queue.submit(impUID, in: GatewayCaller.current.lane))
                } catch let error as GatewayError {
                    return .failure(error)
                } catch {
                    return .failure(GatewayError(.overloaded, message: "too many look-ups wait"))
                }
            }
        }
    }

    private static func look(up impUIDs: [ImpUID], _ client: PortOneV1Client) async -> [ImpUID: Outcome] {
        client.calls.metrics.batch(of: impUIDs.count)
        let distinct = Array(Set(impUIDs))
        if distinct.count == 1 { return [distinct[0]: await one(distinct[0], client)] }
        do throws(GatewayError) {
            return try await many(distinct, client)
        } catch {
            return Dictionary(uniqueKeysWithValues: distinct.map { ($0, .failure(error)) })
        }
    }

    private static func one(_ impUID: ImpUID, _ client: PortOneV1Client) async -> Outcome {
        do throws(GatewayError) {
            return .success(try await client.payment(impUID))
        } catch {
            return .failure(error)
        }
    }

    private static func many(
        _ impUIDs: [ImpUID], _ client: PortOneV1Client
    ) async throws(GatewayError) -> [ImpUID: Outcome] {
        let found = try await client.payments(impUIDs)
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

    /// 207 says that those left out aren't there, as a 404 does for one.
    private static let unknown = GatewayError(
        .notFound, isDefinite: true, httpStatus: 207, message: "the gateway knows no such payment")

    private static let unanswered = GatewayError(
        .malformedAnswer, httpStatus: 200, message: "the gateway said nothing about this payment")
}
