import Foundation
import Glibc
import Synchronization

/// A program that this process started, such as a PostgreSQL server.
///
/// The kernel kills it when this process dies, whatever ends that (`setpriv --pdeathsig`). For the kernel, the parent is the
/// thread that started the program; so a thread of its own starts the program and waits for its end.
final class Program: Sendable {
    /// How a program ended.
    enum End: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    private struct State {
        var pid: pid_t = 0
        var end: End?
        var waiting: [CheckedContinuation<End, Never>] = []
    }

    private let state = Mutex(State())

    private init() {}

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: its path or name, and its arguments.
    ///   - runner: the user that runs it; nil: the user of this process.
    ///   - environment: all of its environment.
    ///   - directory: where it runs.
    ///   - output: the file that its output and its errors are appended to.
    static func start(
        _ command: [String], as runner: OSUser?, environment: [String: String], in directory: String,
        output: String
    ) async throws -> Program {
        let user = runner.map { ["--reuid=\($0.userID)", "--regid=\($0.groupID)", "--init-groups"] } ?? []
        let spawn = Spawn(
            arguments: ["setpriv"] + user + ["--pdeathsig", "KILL", "env", "--chdir=\(directory)"] + command,
            environment: environment.map { "\($0.key)=\($0.value)" }, output: output)
        let program = Program()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                do {
                    try program.begin(spawn)
                } catch {
                    return continuation.resume(throwing: error)
                }
                continuation.resume()
                program.reap()
            }
        }
        return program
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Waits for the end.
    func end() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waiting.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Sends a signal to the program and to what it started, unless it has ended.
    func signal(_ number: Int32) {
        state.withLock { state in
            if state.end == nil { kill(-state.pid, number) }
        }
    }

    private func begin(_ spawn: Spawn) throws {
        try state.withLock { $0.pid = try spawn() }
    }

    /// The id is not given to another process before it was reaped, which ``signal(_:)`` can't come between.
    private func reap() {
        let pid = state.withLock(\.pid)
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
        let (end, waiting) = state.withLock { state in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let signal = status & 0x7F
            let end = signal == 0 ? End.code(status >> 8 & 0xFF) : .signal(signal)
            state.end = end
            defer { state.waiting = [] }
            return (end, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }
}

/// A call of `posix_spawn`.
private struct Spawn: Sendable {
    let arguments: [String]
    let environment: [String]
    let output: String

    /// - Returns: the id of the process, which leads a process group of its own.
    func callAsFunction() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let file = Int32(name), file > 2 { posix_spawn_file_actions_addclose(&actions, file) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process blocks or ignores is no business of the program's.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid: pid_t = 0
        let status = Self.withCStrings(arguments) { arguments in
            Self.withCStrings(environment) { environment in
                posix_spawnp(&pid, "setpriv", &actions, &attributes, arguments, environment)
            }
        }
        guard status == 0 else { throw DrillImpossible("setpriv can't start: \(String(cString: strerror(status)))") }
        return pid
    }

    /// Lends the texts as C's array of strings, which ends with a null pointer.
    private static func withCStrings(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers = texts.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(body) ?? ENOMEM }
    }
}

/// A user of the operating system.
struct OSUser: Sendable {
    let userID: uid_t
    let groupID: gid_t

    /// The user of this name; nil: there is none.
    init?(named name: String) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        let isFound = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let start = buffer.baseAddress else { return false }
            return getpwnam_r(name, &entry, start, buffer.count, &found) == 0 && found != nil
        }
        guard isFound else { return nil }
        userID = entry.pw_uid
        groupID = entry.pw_gid
    }
}
