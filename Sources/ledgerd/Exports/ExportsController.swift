import CivilTime
import Foundation
import HTTPTypes
import Hummingbird
import Ledger

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
    func response(answering asked: Request, _ context: LedgerdRequestContext) -> Response {
        let stream = ExportStream(export: self, isCompressed: asked.acceptsGzip, logger: context.logger)
        return Response(
            status: .ok, headers: headers(isCompressed: stream.isCompressed),
            body: ResponseBody { writer in try await stream.send(answering: asked, to: &writer) })
    }

    private func headers(isCompressed: Bool) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: request.format.mediaType,
            .contentDisposition: "attachment; filename=\"\(request.fileName)\"",
            .exportServer: origin.server.rawValue,
            .exportTime: RFC3339.string(from: origin.time),
            .cacheControl: "no-store",
            .vary: "Accept-Encoding",
            .trailer: HTTPField.Name.exportTrailer.rawName,
            // The connection is read until the client closes it, so it can't serve another request.
            .connection: "close",
        ]
        if isCompressed { headers[.contentEncoding] = "gzip" }
        return headers
    }
}

extension ExportOptionError: ProblemConvertible {
    var problem: Problem { .invalid(member: option.rawValue, "\(option.rawValue) \(rule)") }
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
