/// The pending faults; the first match applies.
package actor FaultPlan {
    package private(set) var list: [Fault] = []

    package init() {}

    /// Sets the fault of a path; zero times clears it, and zero times for every path clears all.
    package func set(_ fault: Fault) {
        list.removeAll {
            ($0.prefix == fault.prefix && $0.method == fault.method) || (fault.times == 0 && fault.prefix.isEmpty)
        }
        if fault.times > 0 { list.append(fault) }
    }

    /// Replaces the whole plan; faults apply in order.
    package func replace(by faults: [Fault]) {
        list = faults.filter { $0.times > 0 }
    }

    /// The fault of a request; counts one use.
    package func take(_ method: String, _ path: String) -> Fault? {
        guard let index = list.firstIndex(where: { $0.strikes(method, path) }) else { return nil }
        let fault = list[index]
        list[index].spend()
        if list[index].times == 0 { list.remove(at: index) }
        return fault
    }
}
