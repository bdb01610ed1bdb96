internal import Foundation
internal import ImageFiles
package import Imaging

extension SHA256 {
    /// The hash of a capture's content: of a file's bytes, or of the names and bytes of all files of a folder. Where it
    /// lies and when it was written does not matter. A link counts as what it says, not as what it leads to.
    package static func digest(ofCapture path: String) throws(FlatteningError) -> String {
        var folder = path
        var isFolder: ObjCBool = false
        if path.hasSuffix("/capture.json") { folder = String(path.dropLast("/capture.json".count)) }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
        else {
            return try digest(ofFile: path)
        }
        let names =
            FileManager.default.enumerator(atPath: folder)?.allObjects.compactMap { $0 as? String } ?? []
        var hash = SHA256()
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let file = folder + "/" + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            switch attributes?[.type] as? FileAttributeType {
            case .typeRegular:
                hash.update(name)
                hash.update(try digest(ofFile: file))
            case .typeSymbolicLink:
                hash.update(name)
                hash.update((try? FileManager.default.destinationOfSymbolicLink(atPath: file)) ?? "")
            default: continue
            }
        }
        return hash.digest()
    }
}
