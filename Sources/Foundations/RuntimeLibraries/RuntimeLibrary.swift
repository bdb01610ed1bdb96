/// A C library that is opened at run time, on first use, and kept for the process.
///
/// Each such library is one value of this type, with a C target that contains its header, a structure of function pointers and
/// their names. The library costs nothing until it is needed, and its absence is an error that can be reported, instead of a
/// program that does not start. The library is never closed: thread pools and static state would not survive that.
package struct RuntimeLibrary<Functions, Failure: Error>: Sendable {
    private let opening: Opening
    private let loaded: LoadedOnce<Table, Failure>

    /// The functions of an open library: C function pointers, written once before any other thread sees them.
    private struct Table: @unchecked Sendable {
        let functions: Functions
    }

    /// How a library is opened and checked.
    private struct Opening: Sendable {
        var functions: FunctionNames
        var unsuitable: @Sendable (Functions) -> String?
        var permit: @Sendable () throws(Failure) -> Void
        var failure: @Sendable (LibraryAbsence) -> Failure
        var prepare: @Sendable (Functions) throws(Failure) -> Void

        func open(anyOf fileNames: [String]) throws(Failure) -> Table {
            try permit()
            let table: Functions
            do {
                table = try FunctionTable.open(anyOf: fileNames, functions: functions, unsuitable: unsuitable)
            } catch {
                throw failure(error)
            }
            try prepare(table)
            return Table(functions: table)
        }
    }

    /// - Parameters:
    ///   - fileNames: the names passed to `dlopen`, in this order.
    ///   - functions: the names of the functions, in the order of the table's members.
    ///   - unsuitable: returns why a library with all functions cannot be used, such as its version; nil if it can.
    ///   - permit: throws if the files may not be opened in their current state.
    ///   - failure: returns the error if none can be used.
    ///   - lasts: whether such a failure is permanent.
    ///   - prepare: called once with an opened library.
    package init(
        anyOf fileNames: [String], functions: FunctionNames,
        unsuitable: @escaping @Sendable (Functions) -> String? = { _ in nil },
        permit: @escaping @Sendable () throws(Failure) -> Void = {},
        failure: @escaping @Sendable (LibraryAbsence) -> Failure,
        lasts: @escaping @Sendable (Failure) -> Bool,
        prepare: @escaping @Sendable (Functions) throws(Failure) -> Void = { _ in }
    ) {
        let opening = Opening(
            functions: functions, unsuitable: unsuitable, permit: permit, failure: failure, prepare: prepare)
        self.opening = opening
        loaded = LoadedOnce(lasts: lasts) { () throws(Failure) in try opening.open(anyOf: fileNames) }
    }

    /// Returns the functions; the first call opens the library.
    /// - Throws: the error from `failure`, and what `permit` and `prepare` throw.
    package func load() throws(Failure) -> Functions { try loaded.get().functions }

    /// Returns the functions of the first usable library among other names; nothing is kept.
    /// - Throws: the same errors as `load`.
    package func open(anyOf fileNames: [String]) throws(Failure) -> Functions {
        try opening.open(anyOf: fileNames).functions
    }
}

/// File names of libraries, for `dlopen`.
package enum LibraryFiles {
    /// Returns the names to try on this platform.
    /// - Parameters:
    ///   - linux: sonames, found in the loader's search path.
    ///   - darwin: names of dynamic libraries. Homebrew's folders are searched too; a program started from the Finder or an IDE
    ///     does not search there by itself.
    ///   - keg: the formula's name, if Homebrew keeps it outside its common folder.
    package static func named(linux: [String], darwin: [String], keg: String? = nil) -> [String] {
        #if canImport(Darwin)
            let folder = keg.map { "opt/\($0)/lib" } ?? "lib"
            return darwin
                + ["/opt/homebrew", "/usr/local"].flatMap { prefix in
                    darwin.map { "\(prefix)/\(folder)/\($0)" }
                }
        #else
            return linux
        #endif
    }
}
