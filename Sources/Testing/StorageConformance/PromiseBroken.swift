/// A violation of the storage contract by an engine.
package struct PromiseBroken: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ what: String, file: String, line: Int) { description = "\(what) (\(file):\(line))" }
}

/// - Throws: ``PromiseBroken`` unless `condition` holds.
func expect(
    _ condition: Bool, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
    guard condition else { throw PromiseBroken(what(), file: file, line: line) }
}

/// - Throws: ``PromiseBroken`` unless both are the same.
func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
    guard found != expected else { return }
    throw PromiseBroken("\(what()): found \(found), expected \(expected)", file: file, line: line)
}

/// - Throws: ``PromiseBroken`` if the value is nil.
func unwrap<Value>(
    _ value: Value?, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws -> Value {
    guard let value else { throw PromiseBroken("\(what()) is missing", file: file, line: line) }
    return value
}

/// - Throws: ``PromiseBroken`` unless `work` throws exactly `expected`.
func expectFailure<Failure: Error & Equatable>(
    _ expected: Failure, _ what: String, file: String = #fileID, line: Int = #line,
    _ work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch let failure as Failure where failure == expected {
        return
    } catch {
        throw PromiseBroken("\(what): failed with \(error), expected \(expected)", file: file, line: line)
    }
    throw PromiseBroken("\(what): went through, expected \(expected)", file: file, line: line)
}
