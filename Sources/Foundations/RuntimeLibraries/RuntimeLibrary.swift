/// A C library that is found at run time, with its first use, and kept for the process.
///
/// Each library that is used so is one value of this type, beside a C target that holds its header, a structure of function
/// pointers and their names. What is opened so costs nothing until it is needed, and its absence is an error that can be
/// told instead of a program that does not start. The library is never closed: thread pools and static state would not
/// survive that.
package struct RuntimeLibrary<Functions, Failure: Error>: Sendable {
    private let opening: Opening
    private let loaded: LoadedOnce<Table, Failure>

    /// The functions of an open library: C function pointers, written once before any other thread sees them.
    private struct Table: @unchecked Sendable {
        let functions: Functions
    }

    /// What is tried, and what is asked of what is found.
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
    ///   - fileNames: what `dlopen` is given, in this order.
    ///   - functions: the names of the functions, in the order of the table's members.
    ///   - unsuitable: why a library that has all functions is not to be used, such as its version; nil for one that is.
    ///   - permit: throws where none of the files may be opened as they lie.
    ///   - failure: the error for the absence of all.
    ///   - lasts: whether such a failure would be the same the next time.
    ///   - prepare: what is done once with a library that has been opened.
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

    /// The functions; the first call opens the library.
    /// - Throws: what `failure` makes of an absence, and what `permit` and `prepare` throw.
    package func load() throws(Failure) -> Functions { try loaded.get().functions }

    /// The functions of the first of other libraries that can be used; nothing of it is kept.
    /// - Throws: as `load`.
    package func open(anyOf fileNames: [String]) throws(Failure) -> Functions {
        try opening.open(anyOf: fileNames).functions
    }
}

/// What a library's file is called, for `dlopen`.
package enum LibraryFiles {
    /// The names that are tried on this platform.
    /// - Parameters:
    ///   - linux: sonames, found where the loader looks.
    ///   - darwin: names of dynamic libraries. They are looked for in Homebrew's folders too, where a program that was
    ///     started from the Finder or an IDE does not look by itself.
    ///   - keg: the formula's name, where Homebrew keeps it apart from its common folder.
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
