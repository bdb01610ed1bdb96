package import Diagnostics

/// The version of a loaded C library, or why it is missing.
package struct LibraryVersion: Equatable, Sendable {
    /// What is known about a library.
    package enum State: Equatable, Sendable {
        /// Its version, as it reports it.
        case loaded(String)
        /// It is loaded but has no function that returns its version; holds what else is known about it.
        case unasked(String)
        /// Why it cannot be used.
        case unavailable(String)
        /// Memory or descriptors ran short: it is unknown whether the library exists.
        case short
    }

    /// The library's own name, such as "libpng".
    package var name: String
    /// Its version, or why there is none.
    package var state: State

    package init(_ name: String, _ state: State) {
        self.name = name
        self.state = state
    }

    /// Creates the entry of a library that cannot be used because of this error.
    package init(_ name: String, failing error: FlatteningError) {
        self.init(name, error.code == .shortage ? .short : .unavailable(error.detail ?? error.message))
    }
}

extension RuntimeLibrary where Failure == FlatteningError {
    /// Returns the library's version, or why it cannot be used; loads it.
    /// - Parameters:
    ///   - name: the library's name, such as "libzip".
    ///   - version: reads the version from the library.
    package func version(of name: String, _ version: (Functions) -> String) -> LibraryVersion {
        do {
            return LibraryVersion(name, .loaded(version(try load())))
        } catch {
            return LibraryVersion(name, failing: error)
        }
    }
}
