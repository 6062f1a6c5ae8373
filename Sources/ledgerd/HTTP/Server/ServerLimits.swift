import Logging
import PGVerifier

/// What one client may take of the server.
struct ServerLimits: Sendable {
    /// How long a connection may stay open on which nothing comes.
    var idleTimeout = Duration.seconds(75)
    /// How long a request may take to arrive, from its first byte to its last; long ones get more (``leastBytesPerSecond``).
    var requestTimeout = Duration.seconds(30)
    /// How long a client may leave an answer lying.
    var writeTimeout = Duration.seconds(30)
    /// How many connections are served at once.
    var connections = 8192

    /// How many more are accepted, to be told that there are too many or while the longest idle are closed.
    static let surplus = 32
    /// How many connections the listener for monitoring serves at once.
    static let adminConnections = 64
    /// How fast long bodies arrive at least: each byte gives its request that much more time.
    static let leastBytesPerSecond: Int64 = 64 << 10
    /// What a client must take of its answers in each ``writeTimeout``, in bytes, unless less waits for it.
    static let leastTaken = 16 << 10
    /// How many requests a client may send ahead of their answers.
    static let pipelined = 64
    /// How many bytes the kernel takes ahead of what is on its way to a client.
    static let unsentInKernel = 128 << 10
}

extension ServerLimits {
    /// The limits as configured, within what the process may open.
    ///
    /// - Throws: ``OpenFileLimit/TooLow`` when nothing would be left for clients.
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
                "fewer connections are served than max_connections says: the limit of open files is low",
                metadata: ["connections": "\(connections)", "open_files": "\(openFiles)"])
        }
    }

    /// The files that are not for clients: the database, the gateways, the surplus, and the process itself.
    private static func reserve(_ configuration: ServeConfiguration) throws(ConfigurationError) -> Int {
        let database =
            try configuration[Settings.database.writers] + configuration[Settings.database.readConnections] + 8
        let gateways = [configuration.gateways.portOneV1 != nil, configuration.gateways.portOneV2 != nil].count { $0 }
        let gateway = gateways * CurlTransport.Configuration().maxConnectionsPerHost
        let process = 32
        let admin = try configuration[Settings.http.adminListen] == nil ? 0 : adminConnections + surplus
        return database + gateway + process + admin + surplus
    }
}
