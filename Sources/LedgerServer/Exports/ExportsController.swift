import CivilTime
import Foundation
import HTTPTypes
package import Hummingbird
package import Ledger

/// Reports of the books, for finance.
struct ExportsController: Sendable {
    let exports: Exports
    /// The default time zone of an export.
    let timeZone: TimeZone
    /// The accounts of an ERP, for vouchers.
    let accounts: VoucherAccounts?

    /// `GET /v1/exports/{report}`: the report, streamed.
    func export(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let report = context.parameters.get("report").flatMap(Report.init(rawValue:)) else {
            throw Problem(.notFound, "the report is unknown", members: ["reports": .strings(Report.names)])
        }
        let wanted = try ExportRequest(report, try request.exportOptions(), in: timeZone, accounts: accounts)
        return try await exports.begin(wanted).get().response(answering: request, context)
    }
}

extension Export {
    /// The report as the body of a response, streamed.
    ///
    /// A file that is made first is complete when this returns, so what fails has a problem as its answer.
    ///
    /// - Throws: as ``Export/makeFile(_:)``.
    package func response(answering asked: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let stream = ExportStream(
            export: self, isCompressed: asked.acceptsGzip && !request.format.isMadeFirst, logger: context.logger)
        if request.format.isMadeFirst {
            if asked.method == .head { return Response(status: .ok, headers: headers) }
            return try await response(with: stream, answering: asked)
        }
        var headers = headers
        headers[.vary] = "Accept-Encoding"
        headers[.trailer] = HTTPField.Name.exportTrailer.rawName
        if stream.isCompressed { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in try await stream.send(answering: asked, to: &writer) })
    }

    /// The length and the trailer of a whole file are known before its first byte.
    private func response(with stream: ExportStream, answering asked: Request) async throws -> Response {
        let file = try await stream.makeFile(answering: asked)
        var headers = headers
        headers[.exportTrailer] = file.trailer.json
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(contentLength: file.count) { writer in try await stream.send(file, to: &writer) })
    }

    private var headers: HTTPFields {
        var headers = HTTPFields(of: origin, named: request.fileName)
        headers[.contentType] = request.format.mediaType
        return headers
    }
}

extension HTTPFields {
    /// The headers of each export.
    init(of origin: SnapshotOrigin, named fileName: String) {
        self = [
            .contentDisposition: "attachment; filename=\"\(fileName)\"",
            .exportServer: origin.server.rawValue,
            .exportTime: RFC3339.string(from: origin.time),
            .cacheControl: "no-store",
            // The connection is read until the client closes it, so it can't serve another request.
            .connection: "close",
        ]
    }
}

extension ExportOptionError: ProblemConvertible {
    var problem: Problem { .invalid(member: option.rawValue, "\(option.rawValue) \(rule)") }
}

extension WorkbookError: ProblemConvertible {
    var problem: Problem {
        isOfRequest ? .invalid(member: ExportOption.format.rawValue, description) : Problem(.internal, description)
    }
}

extension ExportRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .tooMany: Problem(.tooManyExports)
        case .noSuchRun, .runNotCompleted, .noCompletedRun:
            Problem(.notFound, description, members: ["member": .string(ExportOption.run.rawValue)])
        case .noAccounts, .vatIsOff, .noPolicy: Problem(.notFound, description)
        case .unmappedAccounts(let accounts):
            Problem(.invalidRequest, description, members: ["accounts": .strings(accounts)])
        }
    }
}

extension Report {
    fileprivate static let names = allCases.map(\.rawValue)
}

extension Request {
    /// The query as options of an export.
    fileprivate func exportOptions() throws(Problem) -> [ExportOption: String] {
        let query = try Query(self, ExportOption.allCases.map(\.rawValue))
        var options: [ExportOption: String] = [:]
        for option in ExportOption.allCases { options[option] = query[option.rawValue] }
        return options
    }

    /// Whether the client accepts gzip (RFC 9110 §12.5.3): `gzip` or `*` is listed, without `q=0`.
    fileprivate var acceptsGzip: Bool {
        let codings = headers[values: .acceptEncoding].joined(separator: ",").lowercased().split(separator: ",")
        let weights = codings.map { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (name: parts.first ?? "", weight: weight ?? 1)
        }
        return (weights.first { $0.name == "gzip" } ?? weights.first { $0.name == "*" }).map { $0.weight > 0 } ?? false
    }
}
