import OutboundHTTP
import TestSupport
import Testing

/// The service is killed at each step of a refund; its successor ends it, once.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RefundCrashTests {
    /// What has happened, and is not known to have happened, when the service dies.
    enum Step: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case nothingIsWritten
        case begunWithoutAReply
        case begunAndTheGatewayNotAsked
        case askedAndNotCarriedOut
        case carriedOutAndNotAnswered
        case answeredAndNotWritten
        case writtenWithoutAReply

        var testDescription: String { rawValue }
    }

    /// In the fast tier every other step is killed with V1, and the others with V2.
    private static func cases(_ steps: [Step]) -> [(step: Step, version: String)] {
        steps.enumerated().flatMap { number, step in
            let versions = Effort.includesSlow ? ["V1", "V2"] : [["V1", "V2"][number % 2]]
            return versions.map { (step, $0) }
        }
    }

    @Test(arguments: cases(Step.allCases))
    func `a refund killed at any step ends refunded once`(_ step: Step, version: String) async throws {
        try await House.with { house in
            let stage = try await Stage(house, version: version)
            try await stage.die(at: step)
            let begun = try await house.books.refunds
            #expect(
                begun == (step == .nothingIsWritten ? [] : step == .writtenWithoutAReply ? ["completed"] : ["pending"]))

            let successor = try await stage.serve()
            if !begun.isEmpty { try await house.waitUntilDecided() }
            let answer = try await successor.refund(stage.purchase, #", "coins": 40"#)
            #expect(answer.status == 201 && answer.json["refund"]["status"] == "completed", "\(answer)")
            #expect(try await house.books.refunds == ["completed"])
            #expect(try await stage.gateway.cancellations(stage.payment).map { $0["amount"] } == [400])
            #expect(try await successor.coins() == 60)
            try await house.expectAgreement(with: stage.gateway, on: stage.payment)
            stage.proxy.stop()
        }
    }

    /// Leases end with their process, and what the gateway shows, or was never asked for, needs no wait.
    ///
    /// One that may have been killed while it asked V1 is left out: V1 is not asked twice at a time.
    @Test(
        arguments: cases(Step.allCases.filter { $0 != .nothingIsWritten && $0 != .writtenWithoutAReply }).filter {
            $0.step != .begunAndTheGatewayNotAsked || $0.version == "V2"
        })
    func `a running process completes the refund of a killed one without waiting for its lease`(
        _ step: Step, version: String
    ) async throws {
        try await House.with { house in
            let stage = try await Stage(house, version: version)
            let survivor = try await stage.serve()
            try await stage.die(at: step)
            try await stage.postpone()
            try await eventually("the refund is completed") { try await house.books.refunds == ["completed"] }
            #expect(try await stage.gateway.cancellations(stage.payment).map { $0["amount"] } == [400])
            #expect(try await survivor.coins() == 60)
            try await house.expectAgreement(with: stage.gateway, on: stage.payment)
            stage.proxy.stop()
        }
    }

    @Test func `a V1 cancellation without an answer is looked at, and not repeated while it may be under way`()
        async throws
    {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay()
            let id = try await service.buy(payment)
            try await gateway.fail(#"{"kind": "reset", "path": "/payments/cancel", "times": 1}"#)
            #expect(try await service.refund(id).status == 202)
            try await eventually("it is looked at twice") {
                try await house.books.count("SELECT attempts FROM refund") >= 2
            }
            #expect(try await gateway.journal("/payments/cancel").count == 1)
            #expect(try await house.books.refunds == ["pending"])
            try await house.waitUntilDecided()
            #expect(try await gateway.journal("/payments/cancel").count == 2)
            #expect(try await house.books.refunds == ["completed"])
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test(arguments: ["V1", "V2"])
    func `a refund killed before its refusal is written ends released`(_ version: String) async throws {
        try await House.with { house in
            let stage = try await Stage(house, version: version, #", "cancel_outcome": "refused""#)
            try await stage.die(at: .answeredAndNotWritten)
            #expect(try await house.books.refunds == ["pending"])
            let successor = try await stage.serve()
            try await house.waitUntilDecided()
            let answer = try await successor.refund(stage.purchase, #", "coins": 40"#)
            #expect(answer.status == 422 && answer.code == "refund_refused", "\(answer)")
            let balance = try await successor.get("/v1/me/balance", as: Token.user("ann"))
            #expect(balance.json["available"] == 100 && balance.json["held"] == 0, "\(balance)")
            try await house.expectAgreement(with: stage.gateway, on: stage.payment)
            stage.proxy.stop()
        }
    }
}

/// A service on the far side of a proxy, with a purchase to give back a part of.
private final class Stage {
    let house: House
    let proxy: FaultProxy
    let payment: Payment
    let purchase: Int64
    private(set) var gateway: Gateway
    private let service: ServiceProcess
    private let version: String
    private let isRefused: Bool
    /// The process that had taken the refund when it was killed.
    private var leaseHolder: String?

    init(_ house: House, version: String, _ members: String = "") async throws {
        self.house = house
        self.version = version
        isRefused = members.contains("refused")
        proxy = try FaultProxy(house.ledger.database.server)
        gateway = try await house.startGateway()
        let database = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy)]
        service = try await house.serveProcess(at: gateway, Hooks.v2Settings(at: gateway).merging(database) { $1 })
        payment = try await gateway.pay("1000", #", "version": "\#(version)"\#(members)"#)
        let answer =
            version == "V1"
            ? try await service.present(payment) : try await service.present(paymentID: payment.merchantUID)
        purchase = try #require(answer.purchase["id"].integer, "\(answer)")
    }

    /// A service that comes after.
    func serve() async throws -> Service {
        try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
    }

    /// Begins a refund and kills the service when it has come so far.
    func die(at step: RefundCrashTests.Step) async throws {
        try await prepare(step)
        let service = service
        let purchase = purchase
        let request = Task { try? await service.refund(purchase, #", "coins": 40"#) }
        try await wait(for: step)
        leaseHolder = try await house.books.texts(
            "SELECT lease_holder::text FROM refund WHERE lease_holder IS NOT NULL"
        ).first
        try await house.kill(service.process)
        _ = await request.value
        proxy.cutAll()  // what it holds back is lost with who sent it
        proxy.resume()
        if step == .begunAndTheGatewayNotAsked {
            gateway = try await house.startGateway(port: gateway.port)
            try await gateway.pay("1000", #", "version": "\#(version)""#, as: payment)
        }
    }

    /// Makes the refund that the killed process had taken due in a day, so that only the end of its lease can make it
    /// due now.
    func postpone() async throws {
        try await house.books.execute(
            """
            UPDATE refund SET next_attempt_at = now() + interval '1 day',
                asked_at = CASE WHEN asked_at IS NOT NULL THEN now() + interval '1 day' END
            WHERE status = 'pending' AND lease_holder::text = '\(leaseHolder ?? "")'
            """)
    }

    private func prepare(_ step: RefundCrashTests.Step) async throws {
        let cancel = version == "V1" ? "/payments/cancel" : "/payments/*/cancel"
        switch step {
        case .nothingIsWritten: proxy.arm(.stall, when: .clientSends("INSERT INTO refund ("))
        case .begunWithoutAReply:
            proxy.arm(.stall, when: .serverReplies("COMMIT", to: "INSERT INTO refund ("))
        case .begunAndTheGatewayNotAsked: await gateway.end()
        case .askedAndNotCarriedOut, .writtenWithoutAReply:
            let delay = step == .askedAndNotCarriedOut ? 4000 : 1500
            try await gateway.fail(#"{"kind": "stall", "path": "\#(cancel)", "delay_ms": \#(delay)}"#)
        case .carriedOutAndNotAnswered: try await gateway.fail(#"{"kind": "timeout", "path": "\#(cancel)"}"#)
        case .answeredAndNotWritten: proxy.arm(.stall, when: .clientSends("INSERT INTO refund_decision"))
        }
    }

    private func wait(for step: RefundCrashTests.Step) async throws {
        switch step {
        case .nothingIsWritten, .begunWithoutAReply, .answeredAndNotWritten: break
        case .begunAndTheGatewayNotAsked: return try await waitForRefund()
        case .askedAndNotCarriedOut:
            return try await eventually("the gateway is asked") { try await self.requests == 1 }
        case .carriedOutAndNotAnswered:
            return try await eventually("it is carried out") { try await self.gateway.cancelled(self.payment) == 400 }
        case .writtenWithoutAReply:
            try await waitForRefund()
            proxy.arm(.stall, when: .serverReplies("COMMIT", to: "INSERT INTO refund_decision"))
        }
        try await eventually("the fault strikes") {
            // A refusal is written when the payment has been looked at once more.
            if self.isRefused { try await self.house.books.makeRefundsDue() }
            return self.proxy.firedFaults == 1
        }
    }

    private func waitForRefund() async throws {
        try await eventually("it is begun") { try await self.house.books.refunds == ["pending"] }
    }

    private var requests: Int {
        get async throws {
            let path = version == "V1" ? "/payments/cancel" : "/payments/\(payment.merchantUID)/cancel"
            return try await gateway.journal(path).count
        }
    }
}
