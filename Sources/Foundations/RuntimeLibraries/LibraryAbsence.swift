package import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Says that none of the named libraries could be used, and why.
///
/// A library that is missing or too old stays so while the program runs, and a command can install it. A library for which
/// memory or descriptors ran short may load the next time.
package struct LibraryAbsence: Error, Equatable {
    /// Why a library is not used.
    package enum Reason: Equatable, Sendable {
        /// No library has that name.
        case notFound
        /// It lacks a function, or has an unsupported version.
        case unsuitable
        /// It exists but cannot be loaded: another user's file, another processor's, no permission.
        case broken
        /// Memory, address space or descriptors are short.
        case shortage
    }

    /// The problem with one name.
    package struct Refusal: Equatable, Sendable {
        package var reason: Reason
        package var words: String

        package init(_ reason: Reason, _ words: String) {
            self.reason = reason
            self.words = words
        }
    }

    /// The problem with each, in the order in which they were tried.
    package let refusals: [Refusal]

    package init(refusals: [Refusal]) { self.refusals = refusals }

    /// The refusals as one sentence.
    package var description: String { refusals.map(\.words).joined(separator: "; ") }

    /// The reason for all together: a shortage hides whether a library exists; a broken library does exist.
    package var reason: Reason {
        for reason in [Reason.shortage, .broken, .unsuitable]
        where refusals.contains(where: { $0.reason == reason }) {
            return reason
        }
        return .notFound
    }

    /// The absence as an error of this package.
    /// - Parameters:
    ///   - library: its name and what it is for, such as "libzip, which opens archives,".
    ///   - stage: the step that needs it.
    ///   - allowed: the versions that would do.
    ///   - advice: how to install it, or how to do without it.
    /// - Returns: `.shortage` for a shortage, else `.missingDependency`.
    package func error(
        library: String, stage: FlatteningError.Stage, allowed: String? = nil, advice: String
    ) -> FlatteningError {
        switch reason {
        case .shortage: .shortage(of: library, stage: stage, detail: description)
        case .broken:
            FlatteningError(
                .missingDependency, "\(library) is there, but cannot be loaded", stage: stage,
                allowed: allowed, detail: description, advice: "Mend its installation, or: \(advice)")
        case .unsuitable, .notFound:
            FlatteningError(
                .missingDependency, "\(library) cannot be loaded", stage: stage, allowed: allowed,
                detail: description, advice: advice)
        }
    }
}

extension LibraryAbsence.Refusal {
    /// Interprets the loader's message. The loader gives no error number, but its message usually includes the system's text for
    /// one.
    /// - Parameter areShort: whether descriptors, or this many bytes of address space, are short right now.
    package init(loaderSays words: String, areShort: (_ bytes: Int) -> Bool = Resources.areShort) {
        let lowercased = words.lowercased()
        func says(_ signs: [String]) -> Bool { signs.contains { lowercased.contains($0) } }
        func says(_ numbers: Int32...) -> Bool {
            says(numbers.map { unsafe String(cString: strerror($0)).lowercased() })
        }
        if says(ENOMEM, EMFILE, ENFILE) {
            self.init(.shortage, words)
        } else if says(EPERM, EACCES) || says(["executable stack"]) {
            // A folder whose files may not be executed, or a policy of the system: both are permanent.
            self.init(.broken, words)
        } else if says(["no such file", "not found"]) {
            // If the loader cannot open or map its list of libraries, it reports that it found none.
            self.init(areShort(Resources.loaderBytes) ? .shortage : .notFound, words)
        } else if says(["failed to map", "cannot map"]) {
            // glibc gives no more detail for segments.
            self.init(areShort(Resources.libraryBytes) ? .shortage : .broken, words)
        } else {
            self.init(.broken, words)
        }
    }
}

extension FlatteningError {
    /// Returns the error for a library or its data that could not be loaded because memory or descriptors ran short.
    package static func shortage(of subject: String, stage: FlatteningError.Stage, detail: String?)
        -> FlatteningError
    {
        FlatteningError(
            .shortage, "\(subject) cannot be loaded: memory or open files are short", stage: stage,
            detail: detail, advice: "Allow more of both (ulimit -v, ulimit -n), or run fewer at once")
    }
}

extension RuntimeLibrary where Failure == FlatteningError {
    /// Creates a library whose absence is reported as an error of this package: `.missingDependency`, or `.shortage` if memory
    /// or descriptors are short. After a shortage, or a file refused by `permit`, the next use tries again.
    /// - Parameters:
    ///   - fileNames: the names passed to `dlopen`, in this order.
    ///   - functions: the names of the functions, in the order of the table's members.
    ///   - purpose: the library's name and what it is for, such as "libzip, which opens archives,".
    ///   - stage: the step that needs it.
    ///   - allowed: the versions that would do.
    ///   - advice: how to install it, or how to do without it.
    ///   - unsuitable: returns why a library with all functions cannot be used, such as its version; nil if it can.
    ///   - permit: throws if the files may not be opened in their current state.
    ///   - prepare: called once with an opened library.
    package init(
        anyOf fileNames: [String], functions: FunctionNames, purpose: String, stage: FlatteningError.Stage,
        allowed: String? = nil, advice: String,
        unsuitable: @escaping @Sendable (Functions) -> String? = { _ in nil },
        permit: @escaping @Sendable () throws(FlatteningError) -> Void = {},
        prepare: @escaping @Sendable (Functions) throws(FlatteningError) -> Void = { _ in }
    ) {
        self.init(
            anyOf: fileNames, functions: functions, unsuitable: unsuitable, permit: permit,
            failure: { $0.error(library: purpose, stage: stage, allowed: allowed, advice: advice) },
            lasts: { $0.code != .shortage && $0.code != .fileAccess }, prepare: prepare)
    }
}
