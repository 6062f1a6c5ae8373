import Logging
import OutboundHTTP
import PGVerifier
import Testing

@testable import LedgerServer

/// The gateways that the service knows.
@Suite(.timeLimit(.minutes(20))) struct GatewayAccessTests {
    @Test func `every gateway has an access, in the same order`() throws {
        let values = try SettingValues(environment: [
            "LEDGERD_PORTONE_V1_KEY": "key", "LEDGERD_PORTONE_V1_SECRET": "hush",
            "LEDGERD_PORTONE_V2_SECRET": "hush", "LEDGERD_PORTONE_V2_STORE_ID": "store",
        ])
        let configuration = try GatewayConfiguration(values)
        let transport = CurlTransport(configuration)
        defer { transport.shutdown() }
        let gateways = try Gateways.build(configuration, transport: transport, logger: Logger(label: "test"))
        #expect(gateways.all.map(\.name) == Gateways.known.map { $0.name })
        #expect(GatewayConfiguration.known.count == Gateways.known.count)
    }

    @Test func `a gateway is off without each of its required settings`() throws {
        let configuration = try GatewayConfiguration(try SettingValues(environment: [:]))
        #expect(configuration.accesses.isEmpty)
        for gateway in GatewayConfiguration.known {
            let names = Set(gateway.settings.map(\.name))
            #expect(!gateway.required.isEmpty && gateway.required.allSatisfy { names.contains($0.name) })
        }
    }
}

extension GatewayConfiguration {
    var portOneV1: PortOneV1Access? { accesses.lazy.compactMap { $0 as? PortOneV1Access }.first }
    var portOneV2: PortOneV2Access? { accesses.lazy.compactMap { $0 as? PortOneV2Access }.first }
}
