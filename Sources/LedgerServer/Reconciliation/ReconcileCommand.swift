import ArgumentParser
import CivilTime
import Foundation
import Ledger
import Logging
import OutboundHTTP
import PGVerifier

struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile", abstract: "Compare a period's payments at the gateways with the books.",
        discussion: """
            The command prints the differences in the period [from, to), in days of the time zone or RFC 3339 times. \
            With --heal, it first fixes the differences that the gateway's records settle: it credits payments to the \
            user who presented them, and claws back cancelled payments. A person must settle the rest.

            To continue an interrupted run, repeat the command; a running service also continues it.

            Exit status: 0 if there are no differences, 1 if differences remain, 2 if the run failed.
            """)

    @Option(help: "The start of the period: \(CalendarMoment.rule).") var from: String
    @Option(help: "The end of the period, exclusive.") var to: String
    @Flag(help: "Fix the differences that the gateway's records settle.") var heal = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var progress: ProgressOption
    @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

    func run() async throws {
        let values = try settings.values()
        let configuration = try GatewayConfiguration(values)
        let timeZone = try values[Settings.books.timeZone]
        let period = try period(in: timeZone)
        let requireOrders = try values.requireOrders
        let lifetimes = try CoinLifetimes(values)
        let claims = try ClaimRules(values)
        let forgettingKey = try values[Settings.personalData.forgettingKey]
        let usedBonus = try values[Settings.coins.refundUsedBonus]
        let freezesDisputed = try values[Settings.coins.freezeDisputed]
        let grace = try values[Settings.coins.returnGrace]
        let differences = try await failing {
            let transport = CurlTransport(configuration)
            defer { transport.shutdown() }
            let gateways = try Gateways.build(configuration, transport: transport, logger: Logger(label: "ledgerd"))
            return try await settings.withLedger { ledger in
                try await ledger.require(forgettingKey)
                let crediter = ReceiptCrediter(
                    gateways: gateways, ledger: ledger,
                    rules: ReceiptRules(
                        policy: VerdictPolicy(allowTestPayments: configuration.allowTestPayments),
                        requireOrders: requireOrders, lifetimes: lifetimes, claims: claims,
                        forgettingKey: forgettingKey, timeZone: timeZone))
                return try await ReconciliationAtTerminal(
                    crediter: crediter, usedBonus: usedBonus, freezesDisputed: freezesDisputed, grace: grace,
                    statusLine: progress.line
                ).perform(period, heals: heal, asJSON: json)
            }
        }
        if differences > 0 { throw ExitCode(1) }
    }

    private func period(in timeZone: TimeZone) throws -> Range<Date> {
        let from = try CalendarMoment.date(of: "--from", from, in: timeZone)
        let to = try CalendarMoment.date(of: "--to", to, in: timeZone)
        if let fault = ReconciliationDraft.fault(of: (from, to)) {
            throw ValidationError("\(fault.isOfEnd ? "--to" : "--from") \(fault.rule(from: "--from")).")
        }
        return from..<to
    }

    /// Exits with 2 after an error, because 1 means differences.
    private func failing<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch {
            StandardError.print("Error: \(CommandFailure(error).map(\.description) ?? "\(error)")")
            throw ExitCode(2)
        }
    }
}
