import Diagnostics
package import Testing

/// Decodes content that is broken, or may be: a value may come out, or an error that blames the content and nothing else.
package func expectValueOrRefusal<Value>(
    _ what: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation,
    of body: () throws -> Value
) {
    do {
        _ = try body()
    } catch let error as FlatteningError {
        // What is damaged may also look like a format whose library is not installed.
        let blamesContent: [FlatteningError.Code] = [
            .badInput, .unsupported, .limitExceeded, .missingDependency,
        ]
        #expect(blamesContent.contains(error.code), "\(what()): \(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(what()): \(error)", sourceLocation: sourceLocation)
    }
}
