import LocalFiles
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [("a", "a/x"), ("a/", "a/x"), ("/", "/x"), (".", "./x")])
    func oneSlashStandsBetweenFolderAndName(folder: String, path: String) {
        #expect(FilePath.join(folder, "x") == path)
    }
}
