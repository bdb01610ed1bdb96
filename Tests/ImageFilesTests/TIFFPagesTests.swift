import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import ImageFiles

@Suite struct TIFFPagesTests {
    /// A TIFF of some grey pixels a page; floating-point ones are depth.
    private static func file(_ levels: [UInt8], depthAt: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        var link = 4
        for (index, level) in levels.enumerated() {
            let isDepth = index == depthAt
            var page = HandmadeTIFF(
                width: 1, height: 1, bits: isDepth ? 32 : 8, format: isDepth ? 3 : 1,
                pixels: isDepth ? [0, 0, 0, 0] : [level]
            ).bytes
            let start = bytes.count
            if start > 0 {
                // Its places count from the file's beginning, and its own first eight bytes stay as they are.
                for entry in 0..<Int(page[8]) {
                    let place = 10 + entry * 12
                    guard Int(page[place]) + 256 * Int(page[place + 1]) == 273 else { continue }
                    let offset = Int(page[place + 8]) + 256 * Int(page[place + 9])
                    page.replaceSubrange(place + 8..<place + 12, with: Bytes.little(offset + start, 4))
                }
                bytes.replaceSubrange(link..<link + 4, with: Bytes.little(start + 8, 4))
            }
            link = start + 8 + 2 + Int(page[8]) * 12
            bytes += page
        }
        return bytes
    }

    @Test func eachPageIsReadByItsNumber() throws {
        let file = InputFile(name: "in.tif", bytes: Self.file([10, 20, 30]))
        for (page, level) in [(1, 10), (2, 20), (3, 30)] as [(Int, UInt8)] {
            let picture = try ColorPicture.decode(file, page: page)
            #expect(picture.image[x: 0, y: 0] == RGB(red: level, green: level, blue: level))
            #expect(picture.warnings.isEmpty)
        }
        let error = try #require(throws: FlatteningError.self) { try ColorPicture.decode(file, page: 4) }
        #expect(error.code == .badInput && error.allowed == "1 to 3")
    }

    @Test func theCountOnDiskIsThatInMemoryAndDepthIsNoPage() throws {
        let folder = try ScratchFolder()
        for (levels, depth, count) in [([10, 20, 30], nil, 3), ([10, 20], 1, 1), ([10], nil, 1)]
            as [([UInt8], Int?, Int)]
        {
            let bytes = Self.file(levels, depthAt: depth)
            let url = folder.url.appending(path: "in.tif")
            try Data(bytes).write(to: url)
            #expect(try TIFFStructure.pageCount(ofFile: url.path, limits: FlatteningLimits()) == count)
            #expect(try TIFFStructure.pages(in: bytes, limits: FlatteningLimits()).count == count)
        }
        #expect(try TIFFStructure.pageCount(ofFile: folder.path("none"), limits: FlatteningLimits()) == 1)
    }
}
