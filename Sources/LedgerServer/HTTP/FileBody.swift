import Hummingbird

extension Request {
    /// The bytes of a body that is a file.
    ///
    /// - Parameters:
    ///   - types: the content types that it may have.
    ///   - limit: the most bytes.
    /// - Throws: `unsupported_media_type`, or `body_too_large`.
    func file(_ types: [String], limit: Int) async throws -> [UInt8] {
        let type = (headers[.contentType] ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
        guard types.contains(type.filter({ $0 != " " })) else {
            throw Problem(.unsupportedMediaType, "the content type must be \(types.joined(separator: " or "))")
        }
        return Array(try await wholeBody(limit: limit).readableBytesView)
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
