package import Diagnostics

/// Which version of a C library is loaded, or why there is none.
package struct LibraryVersion: Equatable, Sendable {
    /// What is known of a library.
    package enum State: Equatable, Sendable {
        /// Its version, as it says itself.
        case loaded(String)
        /// It is loaded and has no function that tells; what else is known of it.
        case unasked(String)
        /// Why it cannot be used.
        case unavailable(String)
        /// Memory or descriptors were short for it just now: whether it is there is not known.
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

    /// A library that cannot be used, because of this.
    package init(_ name: String, failing error: FlatteningError) {
        self.init(name, error.code == .shortage ? .short : .unavailable(error.detail ?? error.message))
    }
}

extension RuntimeLibrary where Failure == FlatteningError {
    /// The library's version, or why it cannot be used; loads it.
    /// - Parameters:
    ///   - name: what the library is called, such as "libzip".
    ///   - version: asks it.
    package func version(of name: String, _ version: (Functions) -> String) -> LibraryVersion {
        do {
            return LibraryVersion(name, .loaded(version(try load())))
        } catch {
            return LibraryVersion(name, failing: error)
        }
    }
}
