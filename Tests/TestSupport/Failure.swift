package import Diagnostics

/// The error that an expression throws, nil if it throws none.
package func failure<Value>(of body: () throws -> Value) -> FlatteningError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? FlatteningError
    }
}
