package import Imaging

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
    }

    /// The library's own name, such as "libpng".
    package var name: String
    /// Its version, or why there is none.
    package var state: State

    package init(_ name: String, _ state: State) {
        self.name = name
        self.state = state
    }

    /// A library whose version has to be loaded to be asked.
    package init(_ name: String, loading version: () throws(FlatteningError) -> String) {
        do {
            self.init(name, .loaded(try version()))
        } catch {
            let isShort = error.code == .limitExceeded
            self.init(
                name, .unavailable(isShort ? "memory or open files are short" : error.detail ?? error.message)
            )
        }
    }
}
