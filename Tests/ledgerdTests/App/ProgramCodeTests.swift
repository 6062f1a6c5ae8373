import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ProgramCodeTests {
    @Test func `code is what files have mapped to be run, and nobody has changed`() {
        let smaps = """
            5581c9b000-5581c9d000 r--p 00000000 fe:01 393 /usr/bin/ledgerd
            Anonymous:             0 kB
            Swap:                  0 kB
            5581c9d000-5581cb1000 r-xp 00002000 fe:01 393 /usr/bin/ledgerd
            Size:                 80 kB
            Anonymous:             0 kB
            AnonHugePages:         0 kB
            Swap:                  0 kB
            SwapPss:               0 kB
            VmFlags: rd ex mr mw me
            5581cb1000-5581cb2000 rw-p 00016000 fe:01 393 /usr/bin/ledgerd
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0000000000-7f0000002000 r-xp 00000000 fe:01 77 /usr/lib/a library (deleted)
            Anonymous:             4 kB
            Swap:                  0 kB
            7f0100000000-7f0100002000 r-xp 00000000 fe:01 78 /usr/lib/libswapped.so
            Anonymous:             0 kB
            Swap:                  4 kB
            7f0200000000-7f0200002000 rwxp 00000000 fe:01 79 /usr/lib/libwritable.so
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0300000000-7f0300002000 r-xs 00000000 fe:01 80 /usr/lib/shared
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0400000000-7f0400002000 r-xp 00000000 00:00 0
            Anonymous:             0 kB
            Swap:                  0 kB
            7f1000000000-7f1000002000 r-xp 00000000 fe:01 81 /usr/lib/libc.so.6
            Anonymous:             0 kB
            Swap:                  0 kB
            7ffc1e5f2000-7ffc1e5f4000 r-xp 00000000 00:00 0 [vdso]
            Anonymous:             0 kB
            Swap:                  0 kB
            """
        let code: [Range<UInt>] = [0x55_81c9_d000..<0x55_81cb_1000, 0x7f10_0000_0000..<0x7f10_0000_2000]
        #expect(ProgramCode.unchanged(in: smaps) == code)
        let unknown = [
            "", "-", "Anonymous:", "1-0 r-xp 0 0 1", "x-y r-xp 0 0 1\nAnonymous: 0 kB\nSwap: 0 kB",
            "1000-2000 r-xp 0 0 1\nAnonymous: 0 kB", "1000-2000 r-xp 0 0 1\nSwap: 0 kB",
        ]
        for text in unknown { #expect(ProgramCode.unchanged(in: text).isEmpty, "\(text)") }
    }

    @Test func `this process goes on after it has given its code back`() {
        ProgramCode.giveBackPages()
        #expect(!ProgramCode.unchanged(in: ProgramCode.smaps()).isEmpty)
    }
}
