package import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// No library of the names given could be used, and why.
///
/// One that is not installed, or is too old, stays so while the program runs, and there is a line that installs it. One
/// for which memory or descriptors are short may be there the next time.
package struct LibraryAbsence: Error, Equatable {
    /// Why a library is not used.
    package enum Reason: Equatable, Sendable {
        /// There is none of that name.
        case notFound
        /// It lacks a function, or has a version that is not understood.
        case unsuitable
        /// It is there and cannot be loaded: another's file, another processor's, no permission.
        case broken
        /// Memory, address space or descriptors are short.
        case shortage
    }

    /// What was wrong with one name.
    package struct Refusal: Equatable, Sendable {
        package var reason: Reason
        package var words: String

        package init(_ reason: Reason, _ words: String) {
            self.reason = reason
            self.words = words
        }
    }

    /// What was wrong with each, in the order in which they were tried.
    package let refusals: [Refusal]

    package init(refusals: [Refusal]) { self.refusals = refusals }

    /// The refusals as one sentence.
    package var description: String { refusals.map(\.words).joined(separator: "; ") }

    /// The reason for all together: a shortage hides whether there is one; a broken library is there.
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
    ///   - advice: how to install it, or how to go on without.
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
    /// What the loader's words mean. It gives no error number, but mostly adds the system's words for one.
    /// - Parameter areShort: whether descriptors, or so many bytes of address space, are short just now.
    package init(loaderSays words: String, areShort: (_ bytes: Int) -> Bool = Resources.areShort) {
        let lowercased = words.lowercased()
        func says(_ signs: [String]) -> Bool { signs.contains { lowercased.contains($0) } }
        func says(_ numbers: Int32...) -> Bool {
            says(numbers.map { unsafe String(cString: strerror($0)).lowercased() })
        }
        if says(ENOMEM, EMFILE, ENFILE) {
            self.init(.shortage, words)
        } else if says(EPERM, EACCES) || says(["executable stack"]) {
            // A folder whose files may not be executed, a policy of the system: both last.
            self.init(.broken, words)
        } else if says(["no such file", "not found"]) {
            // Where the loader cannot open or map its list of libraries, it finds none and says so.
            self.init(areShort(Resources.loaderBytes) ? .shortage : .notFound, words)
        } else if says(["failed to map", "cannot map"]) {
            // glibc says of segments no more than this.
            self.init(areShort(Resources.libraryBytes) ? .shortage : .broken, words)
        } else {
            self.init(.broken, words)
        }
    }
}

extension FlatteningError {
    /// That a library or its data could not be loaded for want of memory or descriptors.
    package static func shortage(of subject: String, stage: FlatteningError.Stage, detail: String?)
        -> FlatteningError
    {
        FlatteningError(
            .shortage, "\(subject) cannot be loaded: memory or open files are short", stage: stage,
            detail: detail, advice: "Allow more of both (ulimit -v, ulimit -n), or run fewer at once")
    }
}

extension RuntimeLibrary where Failure == FlatteningError {
    /// A library whose absence is told by an error of this package: `.missingDependency`, or `.shortage` where memory or
    /// descriptors are short, which is tried again with the next use, as is a file that `permit` refuses.
    /// - Parameters:
    ///   - fileNames: what `dlopen` is given, in this order.
    ///   - functions: the names of the functions, in the order of the table's members.
    ///   - purpose: the library's name and what it is for, such as "libzip, which opens archives,".
    ///   - stage: the step that needs it.
    ///   - allowed: the versions that would do.
    ///   - advice: how to install it, or how to go on without.
    ///   - unsuitable: why a library that has all functions is not to be used, such as its version; nil for one that is.
    ///   - permit: throws where none of the files may be opened as they lie.
    ///   - prepare: what is done once with a library that has been opened.
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
