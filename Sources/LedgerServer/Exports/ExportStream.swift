import Hummingbird
import Ledger
import Logging
import Metrics

/// Sends an export as the body of a response.
///
/// A response that fails midway has already sent its status. So the connection is closed without the end of the chunked
/// body, and the client sees that the body is incomplete. The same happens to a client that reads nothing during the
/// write timeout, because an export holds a connection and a snapshot, which keeps PostgreSQL from removing old rows.
struct ExportStream: Sendable {
    let export: Export
    let isCompressed: Bool
    let logger: Logger
    /// When the response began, for metrics and the log.
    private let begun = ContinuousClock.now

    /// Sends the export until it is complete or the client closes the connection.
    func send(answering request: Request, to writer: inout any ResponseBodyWriter) async throws {
        try await noting {
            let trailer = try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await send(to: &writer)
            }
            try await writer.finish([.exportTrailer: trailer.json])
            noteEnd(trailer)
        }
    }

    /// Makes the file of a format that can't be sent while it is written, until the client closes the connection.
    func makeFile(answering request: Request) async throws -> ExportFile {
        try await noting {
            try await request.body.consumeWithCancellationOnInboundClose { _ in try await export.makeFile() }
        }
    }

    /// Sends a whole file.
    func send(_ file: ExportFile, to writer: inout any ResponseBodyWriter) async throws {
        try await noting {
            try await file.read { try await writer.write(ByteBuffer(bytes: $0.bytes)) }
            try await writer.finish(nil)
            noteEnd(file.trailer)
        }
    }

    private func noteEnd(_ trailer: ExportTrailer) {
        log(.info, "exported", ["rows": .stringConvertible(trailer.rows), "sha256": .string(trailer.sha256)])
        count("complete")
    }

    /// Logs and counts what fails.
    private func noting<Made>(_ body: () async throws -> Made) async throws -> Made {
        do {
            return try await body()
        } catch {
            log(.warning, "export interrupted", ["error": .string(Self.name(of: error))])
            count("cut_off")
            throw error
        }
    }

    private func send(to writer: inout any ResponseBodyWriter) async throws -> ExportTrailer {
        guard isCompressed else {
            return try await export.run { try await writer.write(ByteBuffer(bytes: $0.bytes)) }
        }
        let compressor = Gzip()
        let trailer = try await export.run { part in
            let bytes = compressor.compress(part.bytes)
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        }
        try await writer.write(ByteBuffer(bytes: compressor.finish()))
        return trailer
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ more: Logger.Metadata) {
        var metadata = more
        metadata["report"] = .string(export.request.report.rawValue)
        metadata["format"] = .string(export.request.format.rawValue)
        metadata["server"] = .string(export.origin.server.rawValue)
        metadata["seconds"] = .stringConvertible((ContinuousClock.now - begun) / .seconds(1))
        logger.log(level: level, message, metadata: metadata)
    }

    private func count(_ outcome: String) {
        let dimensions = [
            ("report", export.request.report.rawValue), ("format", export.request.format.rawValue),
            ("outcome", outcome),
        ]
        Counter(label: "ledgerd_exports_total", dimensions: dimensions).increment()
        Timer(label: "ledgerd_export_seconds", dimensions: dimensions).record(duration: .now - begun)
    }

    static func name(of error: any Error) -> String {
        switch error {
        case let error as LedgerError: "\(error)"
        case let error as WorkbookError: "\(error)"
        case is CancellationError: "the client disconnected or stopped reading, or the service is stopping"
        default: "\(type(of: error))"
        }
    }
}
