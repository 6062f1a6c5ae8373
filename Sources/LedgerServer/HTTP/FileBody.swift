import Hummingbird

extension Request {
    /// The bytes of a body that is a file.
    ///
    /// - Parameters:
    ///   - types: the content types that it may have.
    ///   - limit: the most bytes.
    /// - Throws: `unsupported_media_type`, or `body_too_large`.
    func file(_ types: [String], limit: Int) async throws -> [UInt8] {
        try requireType(of: types)
        return Array(try await wholeBody(limit: limit).readableBytesView)
    }

    /// The same of a body that may be left out; nil: it is empty, whatever its type.
    func fileIfAny(_ types: [String], limit: Int) async throws -> [UInt8]? {
        let body = try await wholeBody(limit: limit)
        guard body.readableBytes > 0 else { return nil }
        try requireType(of: types)
        return Array(body.readableBytesView)
    }

    private func requireType(of types: [String]) throws(Problem) {
        let type = (headers[.contentType] ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        guard types.contains(type.filter({ $0 != " " })) else {
            throw Problem(.unsupportedMediaType, "the content type must be \(types.joined(separator: " or "))")
        }
    }

    /// The body's bytes.
    ///
    /// - Throws: `body_too_large` for a body above the limit, before it is read if its length is announced.
    func wholeBody(limit: Int) async throws -> ByteBuffer {
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        return try await body.collect(upTo: limit)
    }
}
