import Timing

/// Contenders that take turns of a slice each, so that a change of the machine's speed meets all of them alike.
///
/// What else runs on the machine only slows, so the best slice of each figure counts.
struct Turns: Sendable {
    let contenders: [Contender]
    /// The least number of turns.
    let least: Int
    /// The least time that each contender gets, with what it does before and after its measurement.
    let time: Duration

    /// More turns mean that the slices take no time.
    private static let most = 100

    /// The groups of contenders that take turns with each other, directly or through others, in the order of their
    /// first contenders.
    static func groups(_ contenders: [Contender], by targets: [Target]) -> [[Contender]] {
        var groups: [[Int]] = []
        for (index, contender) in contenders.enumerated() {
            let joined = groups.filter { $0.contains { contenders[$0].isCompared(with: contender, by: targets) } }
            groups.removeAll { joined.contains($0) }
            groups.append((joined.flatMap(\.self) + [index]).sorted())
        }
        return groups.sorted { $0[0] < $1[0] }.map { $0.map { contenders[$0] } }
    }

    /// Measures one round, and records the best slices.
    ///
    /// A contender that fails is recorded as failed, and takes no further turn.
    func run(_ round: Int, _ report: BenchReport) async {
        var samples: [Sample] = []
        var had = [Duration](repeating: .zero, count: contenders.count)
        var left = Set(contenders.indices)
        var turn = 0
        while turn < Self.most, turn < least || left.contains(where: { had[$0] < time }) {
            for index in order(of: turn) where left.contains(index) {
                let start = Time.current.instant
                do {
                    samples += try await contenders[index].slice(round * Self.most + turn)
                } catch {
                    left.remove(index)
                    report.fail(contenders[index].part, error)
                }
                had[index] += Time.current.instant - start
            }
            turn += 1
        }
        for best in Self.best(samples) { report.record(best) }
    }

    /// Forwards and backwards by turns, so that nobody is always measured after the same contender.
    private func order(of turn: Int) -> [Int] {
        turn.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
    }

    /// The best sample of each figure, in the order in which the figures first came.
    ///
    /// It has the problems of all samples of its figure: a slice that went wrong is not hidden by a better one.
    static func best(_ samples: [Sample]) -> [Sample] {
        var all: [(figure: String, samples: [Sample])] = []
        for sample in samples {
            if let index = all.firstIndex(where: { $0.figure == sample.figure }) {
                all[index].samples.append(sample)
            } else {
                all.append((sample.figure, [sample]))
            }
        }
        return all.compactMap { _, samples in
            guard var best = samples.first else { return nil }
            for sample in samples where sample.isBetter(than: best) { best = sample }
            let spread = Spread(samples.map(\.value))
            let slices = samples.count > 1 ? "best of \(samples.count) slices, \(spread?.range ?? "")" : ""
            best.note = [best.note, slices].filter { !$0.isEmpty }.joined(separator: ", ")
            best.problems = samples.flatMap(\.problems)
            return best
        }
    }
}

extension BenchReport {
    fileprivate func record(_ sample: Sample) {
        record(sample.figure, sample.value, sample.unit, problems: sample.problems, note: sample.note)
    }
}
