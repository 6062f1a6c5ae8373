import Glibc

/// Starts threads and checks the return codes.
enum Threads {
    /// Starts a detached thread; returns 0 or the error number of `pthread_create`.
    static func startDetached(
        argument: UnsafeMutableRawPointer,
        _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(&thread, &attributes, body, argument)
    }
}
