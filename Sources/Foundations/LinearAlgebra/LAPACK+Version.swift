import CLAPACKE
package import RuntimeLibraries
import Synchronization

extension LAPACK {
    /// The versions of LAPACK and of OpenBLAS if LAPACK uses it; loads them.
    package static var versions: [LibraryVersion] {
        let functions: CLAPACKEFunctions
        do {
            functions = try Self.functions
        } catch .memoryShort {
            return [LibraryVersion("LAPACK", .short)]
        } catch {
            return [LibraryVersion("LAPACK", .unavailable(error.description))]
        }
        var versions: [LibraryVersion] = []
        if let ask = unsafe functions.ilaver_ {
            var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
            unsafe ask(&major, &minor, &patch)
            versions.append(LibraryVersion("LAPACK", .loaded("\(major).\(minor).\(patch)")))
        } else {
            versions.append(LibraryVersion("LAPACK", .unasked("it has no function ilaver")))
        }
        // OpenBLAS builds its description in one buffer shared by all threads.
        let words = asking.withLock { _ in
            unsafe functions.openblas_get_config?().map { unsafe String(cString: $0) }
        }
        if let config = words {
            // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": the rest names the detected processor, which affects the order of
            // sums.
            versions.append(LibraryVersion("OpenBLAS", .loaded(String(config.trimmingPrefix("OpenBLAS ")))))
        }
        return versions
    }

    private static let asking = Mutex(())
}
