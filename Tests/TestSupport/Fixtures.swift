package import Foundation

/// The files that lie in a test target's folder `Fixtures`.
package struct Fixtures: Sendable {
    /// The folder's path.
    package let folder: String

    /// Those of a target, by its `Bundle.module`.
    package init(of bundle: Bundle) { folder = bundle.bundlePath + "/Fixtures" }

    /// A file's path.
    package func path(_ name: String) -> String { folder + "/" + name }

    /// A file's content.
    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}
