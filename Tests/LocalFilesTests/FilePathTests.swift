import Testing

@testable import LocalFiles

@Suite struct FilePathTests {
    @Test(arguments: [("a", "a/x"), ("a/", "a/x"), ("/", "/x"), (".", "./x")])
    func oneSlashStandsBetweenFolderAndName(folder: String, path: String) {
        #expect(FilePath.join(folder, "x") == path)
    }

    /// A name may begin with a mark, and a folder's end with a sign that takes in what follows: the slash stays one.
    @Test(arguments: ["\u{301}x", "\u{200D}x", "\u{FE0F}"])
    func aSlashIsOneWhateverStandsBesideIt(name: String) {
        for folder in ["out/", "out\u{600}/"] {
            let parts = AtomicFile.split(folder + name)
            #expect(parts.folder.unicodeScalars.elementsEqual(folder.unicodeScalars))
            #expect(parts.name.unicodeScalars.elementsEqual(name.unicodeScalars))
            #expect(FilePath.join(folder, name).utf8.elementsEqual((folder + name).utf8))
        }
    }
}
