/// The pending faults; the first match applies.
actor FaultPlan {
    private(set) var list: [Fault] = []

    /// Sets the fault of a path; zero times clears it, and zero times for every path clears all.
    func set(_ fault: Fault) {
        list.removeAll {
            ($0.prefix == fault.prefix && $0.method == fault.method) || (fault.times == 0 && fault.prefix.isEmpty)
        }
        if fault.times > 0 { list.append(fault) }
    }

    /// Replaces the whole plan; faults apply in order.
    func replace(by faults: [Fault]) {
        list = faults.filter { $0.times > 0 }
    }

    /// The fault of a request; counts one use.
    func take(_ method: String, _ path: String) -> Fault? {
        guard let index = list.firstIndex(where: { $0.strikes(method, path) }) else { return nil }
        let fault = list[index]
        list[index].spend()
        if list[index].times == 0 { list.remove(at: index) }
        return fault
    }
}
