import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct FileWritersTests {
    private static func refusal(_ path: String) -> FlatteningError? {
        do throws(FlatteningError) {
            try FileWriters.refuseOthers(path, called: "the library", stage: .text, otherwise: "do without")
            return nil
        } catch {
            return error
        }
    }

    private static func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// A folder with a file in it, of these permissions.
    private static func scene(folder mode: Int, file: Int) throws -> (folder: ScratchFolder, file: String) {
        let folder = try ScratchFolder()
        let path = try folder.write("code", as: "own/library.so")
        try setMode(file, of: path)
        try setMode(mode, of: folder.path("own"))
        return (folder, path)
    }

    @Test(arguments: [(0o755, 0o644), (0o700, 0o755), (0o500, 0o400)])
    func aFileThatItsUserAloneCanWriteIsTaken(folder: Int, file: Int) throws {
        let scene = try Self.scene(folder: folder, file: file)
        #expect(Self.refusal(scene.file) == nil)
    }

    // Beside a library in a folder with the sticky bit others can put those that it looks for there.
    @Test(arguments: [(0o755, 0o646), (0o757, 0o644), (0o1777, 0o644)])
    func aFileThatEverybodyCanWriteOrReplaceIsRefusedWithTheWayToMendIt(folder: Int, file: Int) throws {
        let scene = try Self.scene(folder: folder, file: file)
        let place = file == 0o646 ? scene.file : scene.folder.path("own")
        let error = Self.refusal(scene.file)
        #expect(error?.code == .fileAccess && error?.file == scene.file)
        #expect(error?.seen == "\(place) may be written by everybody")
        #expect(error?.advice == "Mend it by: chmod go-w '\(place)'; or do without")
        // What it says does mend it.
        try Self.setMode(folder & ~0o022, of: scene.folder.path("own"))
        try Self.setMode(file & ~0o022, of: scene.file)
        #expect(Self.refusal(scene.file) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "takes root, who can give files away"))
    func aFileOfAnotherGroupOrUserIsRefused() throws {
        let scene = try Self.scene(folder: 0o755, file: 0o664)
        // Whoever is of root's group is trusted as root is.
        #expect(chown(scene.file, 0, 0) == 0 && Self.refusal(scene.file) == nil)
        #expect(chown(scene.file, 0, 1234) == 0)
        #expect(Self.refusal(scene.file)?.seen == "\(scene.file) may be written by group 1234")
        #expect(chown(scene.file, 1234, 0) == 0)
        #expect(Self.refusal(scene.file)?.seen == "\(scene.file) belongs to user 1234")
        #expect(Self.refusal(scene.file)?.advice == "Mend it by: chown -h 0 '\(scene.file)'; or do without")
        #expect(chown(scene.file, 0, 0) == 0 && chown(scene.folder.path("own"), 1234, 0) == 0)
        #expect(Self.refusal(scene.file)?.seen == "\(scene.folder.path("own")) belongs to user 1234")
    }

    @Test func aLinkIsAsGoodAsTheFolderThatItLeadsTo() throws {
        let scene = try Self.scene(folder: 0o755, file: 0o644)
        let link = scene.folder.path("link.so")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.file)
        #expect(Self.refusal(link) == nil)
        try Self.setMode(0o777, of: scene.folder.path("own"))
        #expect(Self.refusal(link)?.seen?.hasSuffix("/own may be written by everybody") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "takes root, who can give files away"))
    func aLinkThatAnotherMadeIsRefused() throws {
        let scene = try Self.scene(folder: 0o755, file: 0o644)
        let link = scene.folder.path("link.so")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.file)
        #expect(Self.refusal(link) == nil)
        #expect(lchown(link, 1234, 1234) == 0)
        #expect(Self.refusal(link)?.seen == "\(link) belongs to user 1234")
    }

    @Test func aFileThatIsNotThereIsToldInTheSystemsWords() throws {
        let folder = try ScratchFolder()
        let error = Self.refusal(folder.path("none"))
        #expect(error?.code == .fileAccess && error?.detail?.isEmpty == false)
    }
}
