// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors in a git checkout, and not for those who build a released source archive with a newer toolchain.
let warnings: [SwiftSetting] = Context.gitInformation == nil ? [] : [.treatAllWarnings(as: .error)]

let house: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

// The commit and the time of a release's build, as ./dev package gives them. When they change, only CEmbedded is compiled.
let build: [CSetting] = ["LEDGERD_BUILD_COMMIT", "LEDGERD_BUILD_TIME"].compactMap { name in
    Context.environment[name].map { .define(name, to: "\"\($0)\"") }
}

// The platforms are LedgerClient's, and stand for the whole package; the service itself runs on Linux.
let package = Package(
    name: "ledgerd",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "ledgerd", targets: ["ledgerd"]),
        .executable(name: "portone-sandbox", targets: ["portone-sandbox"]),
        .library(name: "LedgerClient", targets: ["LedgerClient", "LedgerWire"]),
        .library(name: "StandardWebhooks", targets: ["StandardWebhooks"]),
    ],
    // What these depend on in turn is pinned by Package.versions.
    dependencies: [
        // Without its default traits: SwiftPM passes two of them in random order, and compiles Hummingbird anew for each.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),

        .target(name: "CEmbedded", cSettings: build),
        .target(name: "Postgres", dependencies: ["Batching", "CLibPQ"], swiftSettings: house),
        .target(
            name: "Batching",
            dependencies: ["Timing", "Traces", .product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: house),
        .target(
            name: "Traces",
            dependencies: [
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: house),
        .target(
            name: "Ledger",
            dependencies: [
                "Batching", "CEmbedded", "CExpat", "CXLSXWriter", "CZlib", "CivilTime", "Currencies", "Postgres",
                "Timing", "Traces", "WireFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: house),
        .target(
            name: "OutboundHTTP",
            dependencies: [
                "CCurl", "CivilTime", "Traces", "WireFormats",
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: house),
        .target(
            name: "StandardWebhooks",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: house),
        .target(
            name: "PGVerifier",
            dependencies: [
                "Batching", "CivilTime", "Currencies", "OutboundHTTP", "StandardWebhooks", "Timing", "Traces",
                "WireFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: house),
        .target(
            name: "Accepting",
            dependencies: [
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "SandboxSupport",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .target(
            name: "SandboxGateway",
            dependencies: [
                "Accepting", "Currencies", "SandboxSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .target(
            name: "SandboxStore",
            dependencies: [
                "Accepting", "Currencies", "SandboxSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "portone-sandbox",
            dependencies: [
                "SandboxGateway", "SandboxStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
        .target(name: "CivilTime", swiftSettings: house),
        .target(name: "Currencies", swiftSettings: house),
        .target(name: "Timing", swiftSettings: house),
        .target(name: "WireFormats", swiftSettings: house),
        .target(name: "LedgerWire", dependencies: ["CivilTime"], swiftSettings: house),
        .target(name: "LedgerClient", dependencies: ["CivilTime", "LedgerWire", "WireFormats"], swiftSettings: house),
        .executableTarget(
            name: "coin-shop", dependencies: ["LedgerClient"], path: "Examples/CoinShop", swiftSettings: house),
        .executableTarget(
            name: "demo-shop",
            dependencies: [
                "LedgerClient", "WireFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            path: "Examples/DemoShop",
            swiftSettings: house),
        .executableTarget(
            name: "webhook-receiver",
            dependencies: [
                "StandardWebhooks", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Examples/WebhookReceiver",
            swiftSettings: house),
        .target(
            name: "LedgerServer",
            dependencies: [
                "Accepting", "Batching", "CEmbedded", "CZlib", "CivilTime", "Ledger", "LedgerWire", "OutboundHTTP",
                "PGVerifier", "Postgres", "StandardWebhooks", "Timing", "Traces", "WireFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house),
        .target(
            name: "Console",
            dependencies: [
                "CivilTime", "Currencies", "Ledger", "LedgerServer", "LedgerWire", "OutboundHTTP", "PGVerifier",
                "Timing", "WireFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "ledgerd",
            dependencies: [
                "Console", "LedgerServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "ledgerd-bench",
            dependencies: [
                "CEpoll", "Ledger", "LedgerTestSupport", "Postgres", "TestSupport", "Timing",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "bench",
            swiftSettings: house),
        .target(name: "SoakHistory", dependencies: ["LedgerTestSupport"], path: "soak/History", swiftSettings: house),
        .executableTarget(
            name: "ledgerd-soak",
            dependencies: [
                "LedgerClient", "OutboundHTTP", "Postgres", "SoakHistory", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "soak/Program",
            swiftSettings: house),

        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
        .target(
            name: "TestSupport",
            dependencies: ["CThreadSanitizer", "Postgres", "Timing"],
            path: "Tests/TestSupport",
            swiftSettings: house),
        .target(
            name: "LedgerTestSupport",
            dependencies: ["Ledger", "TestSupport"],
            path: "Tests/LedgerTestSupport",
            swiftSettings: house),
        .target(
            name: "EndToEndSupport",
            dependencies: [
                "Console", "LedgerServer", "LedgerTestSupport", "OutboundHTTP", "Postgres", "SandboxGateway",
                "SandboxStore", "TestSupport", "ledgerd",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/EndToEndSupport",
            swiftSettings: house),
        // Instead of HummingbirdTesting, which needs a second BoringSSL, HTTP/2 and AsyncHTTPClient.
        .target(
            name: "HTTPTestSupport",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/HTTPTestSupport",
            swiftSettings: house),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "LedgerTestSupport", "Postgres", "TestSupport", "ledgerd", "ledgerd-bench", "portone-sandbox",
            ],
            swiftSettings: house),
        .testTarget(name: "SoakTests", dependencies: ["SoakHistory"], swiftSettings: house),
        .testTarget(name: "BatchingTests", dependencies: ["Batching", "TestSupport"], swiftSettings: house),
        .testTarget(name: "TimingTests", dependencies: ["TestSupport", "Timing"], swiftSettings: house),
        .testTarget(
            name: "TracesTests",
            dependencies: [
                "TestSupport", "Traces", .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: house),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "LedgerTests", dependencies: ["Currencies", "Ledger", "LedgerTestSupport", "TestSupport"],
            swiftSettings: house),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"], swiftSettings: house),
        .testTarget(name: "CurrenciesTests", dependencies: ["Currencies"], swiftSettings: house),
        .testTarget(name: "WireFormatsTests", dependencies: ["WireFormats"], swiftSettings: house),
        .testTarget(name: "LedgerWireTests", dependencies: ["LedgerWire"], swiftSettings: house),
        .testTarget(
            name: "OutboundHTTPTests", dependencies: ["OutboundHTTP", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "StandardWebhooksTests",
            dependencies: [
                "StandardWebhooks", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "PGVerifierTests",
            dependencies: [
                "Currencies", "OutboundHTTP", "PGVerifier", "SandboxGateway", "TestSupport", "Timing", "Traces",
                "WireFormats",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: house),
        .target(
            name: "SandboxTestSupport",
            dependencies: [
                "HTTPTestSupport", "SandboxSupport", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/SandboxTestSupport",
            swiftSettings: house),
        .testTarget(
            name: "SandboxGatewayTests",
            dependencies: [
                "HTTPTestSupport", "SandboxGateway", "SandboxSupport", "SandboxTestSupport", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "SandboxStoreTests",
            dependencies: [
                "HTTPTestSupport", "SandboxStore", "SandboxSupport", "SandboxTestSupport", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "ledgerdTests",
            dependencies: [
                "Console", "HTTPTestSupport", "Ledger", "LedgerServer", "LedgerWire", "OutboundHTTP",
                "StandardWebhooks", "TestSupport", "WireFormats", "ledgerd",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Console", "EndToEndSupport", "LedgerServer", "LedgerTestSupport", "OutboundHTTP", "PGVerifier",
                "Postgres", "StandardWebhooks", "TestSupport", "ledgerd", "portone-sandbox", "webhook-receiver",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "LedgerClientTests",
            dependencies: [
                "EndToEndSupport", "LedgerClient", "TestSupport", "coin-shop", "ledgerd", "portone-sandbox",
            ],
            swiftSettings: house),
    ]
)

// The test bundle of LEDGERD_TEST_TARGETS has only these test targets: ./dev test NAME builds what it runs.
if let wanted = Context.environment["LEDGERD_TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace).map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
