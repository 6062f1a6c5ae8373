import Hummingbird

extension LedgerdRequestContext {
    /// The row id that a path part holds.
    ///
    /// - Parameter name: the part's name in the route, such as `id` of `/v1/refunds/{id}`.
    /// - Throws: `not_found` for a text that can't be the id of any row: to the caller it is one more thing that isn't.
    func pathID(_ name: String = "id") throws(Problem) -> Int64 {
        guard let text = parameters.get(name), let id = Int64(text), id > 0 else { throw Problem(.notFound) }
        return id
    }
}
