import Ledger
import Logging
import OutboundHTTP

/// The limits of connections.
struct ServerLimits: Sendable {
    /// The maximum idle time of a connection.
    var idleTimeout = Duration.seconds(75)
    /// The maximum time from a request's first byte to its last; longer for long bodies (``leastBytesPerSecond``).
    var requestTimeout = Duration.seconds(30)
    /// The time in which a client must read ``leastTaken`` bytes.
    var writeTimeout = Duration.seconds(30)
    /// The maximum number of connections.
    var connections = 8192

    /// The number of connections above the limit that are accepted, to refuse their requests or while idle ones close.
    static let surplus = 32
    /// The maximum number of connections to the listener for monitoring.
    static let adminConnections = 64
    /// The minimum speed of long bodies; the request timeout is extended accordingly.
    static let leastBytesPerSecond: Int64 = 64 << 10
    /// The number of bytes that a client must read within ``writeTimeout``, unless fewer are waiting.
    static let leastTaken = 16 << 10
    /// The maximum number of requests that a client can send before their responses.
    static let pipelined = 64
    /// The maximum number of bytes that the kernel buffers before it sends them.
    static let unsentInKernel = 128 << 10
}

extension ServerLimits {
    /// The configured limits, reduced if the limit of open files is low.
    ///
    /// - Throws: ``OpenFileLimit/TooLow`` when too few files are left for clients.
    init(_ configuration: ServeConfiguration, openFiles: Int, logger: Logger) throws {
        idleTimeout = try configuration[Settings.http.idleTimeout]
        requestTimeout = try configuration[Settings.http.requestTimeout]
        writeTimeout = try configuration[Settings.http.writeTimeout]
        let reserve = try Self.reserve(configuration)
        let room = openFiles - reserve
        guard room >= 16 else {
            throw OpenFileLimit.TooLow(limit: openFiles, needed: reserve + 16)
        }
        let wanted = try configuration[Settings.http.maxConnections]
        connections = min(wanted, room)
        if connections < wanted {
            logger.warning(
                "max_connections is reduced because the limit of open files is too low",
                metadata: ["connections": "\(connections)", "open_files": "\(openFiles)"])
        }
    }

    /// The number of files for the database, the gateways, surplus connections and the process itself.
    private static func reserve(_ configuration: ServeConfiguration) throws(ConfigurationError) -> Int {
        let database =
            try configuration[Settings.database.writers] + configuration[Settings.database.readConnections]
            + LedgerConfiguration.otherConnections + 8
        let gateway = configuration.gateways.accesses.count * CurlTransport.Configuration().maxConnectionsPerHost
        let process = 32
        let admin = try configuration[Settings.http.adminListen] == nil ? 0 : adminConnections + surplus
        return database + gateway + process + admin + surplus
    }
}
