import Glibc
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func `the service manager gets datagrams, at a path and at an abstract name`(isAbstract: Bool) throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.name])
        #expect(manager.notify(.ready, .status("serving\nat 8080")))
        #expect(manager.notify(.alive))
        #expect(manager.notify(.stopping, .extendTimeout(.seconds(30))))
        #expect(
            socket.messages() == [
                ["READY=1", "STATUS=serving at 8080"], ["WATCHDOG=1"], ["STOPPING=1", "EXTEND_TIMEOUT_USEC=30000000"],
            ])
    }

    @Test func `without a service manager nothing is sent, and nothing fails`() {
        #expect(!ServiceManager.none.notify(.ready))
        let tooLong = "/" + String(repeating: "x", count: 200)
        for name in ["", "relative", "/nowhere/socket", "@nobody-listens-here", tooLong] {
            #expect(!ServiceManager(environment: ["NOTIFY_SOCKET": name]).notify(.ready), "\(name)")
        }
    }

    @Test func `the watchdog waits for signs of life of this process only`() {
        let socket = ["NOTIFY_SOCKET": "/run/systemd/notify"]
        func period(_ more: [String: String]) -> Duration? {
            ServiceManager(environment: socket.merging(more) { $1 }).watchdogPeriod
        }
        #expect(period([:]) == nil)
        #expect(period(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(period(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
        #expect(period(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
        #expect(period(["WATCHDOG_USEC": "0"]) == nil && period(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(ServiceManager(environment: ["WATCHDOG_USEC": "30000000"]).watchdogPeriod == nil)
    }
}
