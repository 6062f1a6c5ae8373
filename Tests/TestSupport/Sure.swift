/// What a test knows to be there; its absence is a mistake in the test.
package func sure<Value>(_ value: Value?, file: StaticString = #file, line: UInt = #line) -> Value {
    guard let value else { fatalError("expected a value", file: file, line: line) }
    return value
}
