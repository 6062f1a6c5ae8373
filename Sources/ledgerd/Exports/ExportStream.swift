import Hummingbird
import Ledger
import Logging
import Metrics

/// Sends an export as an answer's body.
///
/// An answer that fails half way can't change its status any more: the connection is cut without the end of the chunked
/// body, so that no client takes it for whole.
struct ExportStream: Sendable {
    let export: Export
    let isCompressed: Bool
    let logger: Logger

    /// How long a client may take nothing.
    private static let patience = Duration.seconds(60)

    /// Sends everything, until the client has it all or has gone.
    func send(answering request: Request, to writer: inout any ResponseBodyWriter) async throws {
        let begun = ContinuousClock.now
        do {
            let rows = try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await send(to: &writer)
            }
            try await writer.finish(nil)
            log(.info, "exported", ["rows": .stringConvertible(rows)], since: begun)
            count("complete", since: begun)
        } catch {
            log(.warning, "export cut off", ["error": .string(Self.name(of: error))], since: begun)
            count("cut_off", since: begun)
            throw error
        }
    }

    /// - Returns: how many rows.
    private func send(to writer: inout any ResponseBodyWriter) async throws -> Int64 {
        let watch = StallWatch(patience: Self.patience)
        // Written by one of the tasks only, which has ended when this returns.
        nonisolated(unsafe) var sink = writer
        return try await withThrowingTaskGroup(of: Int64.self) { group in
            group.addTask {
                try await watch.watch()
                return 0
            }
            group.addTask {
                try await write { bytes in
                    try await watch.waiting { try await sink.write(ByteBuffer(bytes: bytes)) }
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    private func write(_ send: ([UInt8]) async throws -> Void) async throws -> Int64 {
        guard isCompressed else { return try await export.run { try await send($0.bytes) }.rows }
        let compressor = Gzip()
        let trailer = try await export.run { part in
            let bytes = compressor.compress(part.bytes)
            if !bytes.isEmpty { try await send(bytes) }
        }
        try await send(compressor.finish())
        return trailer.rows
    }

    private func log(
        _ level: Logger.Level, _ message: Logger.Message, _ more: Logger.Metadata, since begun: ContinuousClock.Instant
    ) {
        var metadata = more
        metadata["report"] = .string(export.request.report.rawValue)
        metadata["format"] = .string(export.request.format.rawValue)
        metadata["seconds"] = .stringConvertible((ContinuousClock.now - begun) / .seconds(1))
        logger.log(level: level, message, metadata: metadata)
    }

    private func count(_ outcome: String, since begun: ContinuousClock.Instant) {
        let dimensions = [
            ("report", export.request.report.rawValue), ("format", export.request.format.rawValue),
            ("outcome", outcome),
        ]
        Counter(label: "ledgerd_exports_total", dimensions: dimensions).increment()
        Timer(label: "ledgerd_export_seconds", dimensions: dimensions).record(duration: .now - begun)
    }

    private static func name(of error: any Error) -> String {
        switch error {
        case let error as LedgerError: "\(error)"
        case is StallWatch.Stalled: "the client took nothing for \(patience)"
        case is CancellationError: "the client went away, or the service stops"
        default: "\(type(of: error))"
        }
    }
}
