import ArgumentParser
import Ledger
import Logging
import OutboundHTTP
import PGVerifier

extension SettingFlags<GatewayCommandSettings> {
    /// Opens the ledger and wires the acts of people with the settings of the service.
    ///
    /// Refunds that the body begins are performed before it ends.
    ///
    /// - Parameter person: who acts; a preview keeps no name.
    func withTerminalDesk<Made: Sendable>(
        for person: String = "nobody", _ body: @escaping @Sendable (TerminalDesk) async throws -> Made
    ) async throws -> Made {
        let values = try values()
        let configuration = try GatewayConfiguration(values)
        let transport = CurlTransport(configuration)
        defer { transport.shutdown() }
        let logger = Logger(label: "ledgerd")
        let gateways = try Gateways.build(configuration, transport: transport, logger: logger)
        let limits = try ApprovalLimits(values)
        return try await withLedger { ledger in
            try await ledger.require(try values[Settings.personalData.forgettingKey])
            let crediter = ReceiptCrediter(
                gateways: gateways, ledger: ledger,
                rules: ReceiptRules(
                    policy: VerdictPolicy(allowTestPayments: configuration.allowTestPayments),
                    requireOrders: try values.requireOrders, lifetimes: try CoinLifetimes(values),
                    claims: try ClaimRules(values), forgettingKey: try values[Settings.personalData.forgettingKey],
                    timeZone: try values[Settings.books.timeZone]))
            let desks = try Desks(crediter, values, logger: logger)
            let desk = try TerminalDesk(desks, limits, for: person)
            return try await desks.refunds.performingBegun { try await body(desk) }
        }
    }
}

extension Desks {
    /// What carries out acts of a command: no service runs.
    fileprivate init(_ crediter: ReceiptCrediter, _ values: SettingValues, logger: Logger) throws {
        let (ledger, gateways, policy) = (crediter.ledger, crediter.gateways, try RefundPolicy(values))
        let worker = RefundWorker(driver: RefundDriver(gateways: gateways, ledger: ledger, logger: logger))
        self.init(
            acts: KeyedActs(ledger: ledger, running: RunningKeys()),
            refunds: RefundDesk(
                ledger: ledger, work: WorkService(list: ledger.refunds, worker: worker, logger: logger),
                gateways: gateways, policy: policy),
            reviewer: PaymentReviewer(
                crediter: crediter, usedBonus: policy.usedBonus,
                freezesDisputed: try values[Settings.coins.freezeDisputed],
                grace: try values[Settings.coins.returnGrace], logger: logger),
            grantLimits: try GrantLimits(values), giftSettings: try GiftSettings(values),
            providerWithholding: try values[Settings.coins.providerWithholding],
            returnGrace: try values[Settings.coins.returnGrace],
            custody: CustodyWatch(prepaid: ledger.prepaid, rules: try PrepaidRules(values), logger: logger),
            forgettingRules: try ForgettingRules(values))
    }
}
