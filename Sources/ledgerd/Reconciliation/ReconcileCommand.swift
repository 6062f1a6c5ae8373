import ArgumentParser
import CivilTime
import Foundation
import Ledger
import Logging
import PGVerifier

struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile", abstract: "Compare a period's payments at the gateways with the books.",
        discussion: """
            The period is [from, to): days of the time zone, or RFC 3339 times. Differences are printed. With --heal, \
            what the gateway's word decides is done first: a payment is credited to whoever presented it, a \
            cancellation is followed. The rest is for a person.

            A run that was cut off goes on where it was when the same is asked for again, or when a service comes to it.

            Ends with 0 when all agree, with 1 when differences are left, with 2 when it could not be done.
            """)

    @Option(help: "Where the period begins: \(CalendarMoment.rule).") var from: String
    @Option(help: "Where it ends, itself not in the period.") var to: String
    @Flag(help: "Do what the gateway's word decides.") var heal = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var progress: ProgressOption
    @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

    func run() async throws {
        let values = try settings.values()
        let configuration = try GatewayConfiguration(values)
        let period = try period(in: try values[Settings.books.timeZone])
        let requireOrders = try values.requireOrders
        let lifetimes = try CoinLifetimes(values)
        let claims = try ClaimRules(values)
        let usedBonus = try values[Settings.coins.refundUsedBonus]
        let differences = try await failing {
            let transport = CurlTransport(configuration)
            defer { transport.shutdown() }
            let gateways = try Gateways.build(configuration, transport: transport, logger: Logger(label: "ledgerd"))
            return try await settings.withLedger { ledger in
                let crediter = ReceiptCrediter(
                    gateways: gateways, ledger: ledger,
                    policy: VerdictPolicy(allowTestPayments: configuration.allowTestPayments),
                    requireOrders: requireOrders,
                    lifetimes: lifetimes, claims: claims)
                return try await ReconciliationAtTerminal(
                    crediter: crediter, usedBonus: usedBonus, statusLine: progress.line
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

    /// Tells "could not" from "differs".
    private func failing<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch {
            StandardError.print("Error: \(CommandFailure(error).map(\.description) ?? "\(error)")")
            throw ExitCode(2)
        }
    }
}
