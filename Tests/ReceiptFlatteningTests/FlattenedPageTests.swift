import Captures
import Foundation
import Imaging
import TestSupport
import Testing

@testable import ReceiptFlattening

/// Pages that one process keeps for another.
@Suite struct FlattenedPageTests {
    private static func page() throws -> FlattenedPage {
        var options = ReceiptFlattener.Options()
        options.language = "eng"
        return FlattenedPage(
            try ReceiptFlattener(options: options).flatten(
                Capture(contentsOf: Repository.samples.appending(path: "fold-structured"))))
    }

    /// Of a captured sheet: its map has nodes without a source.
    @Test func aStoredPageIsTheSameToTheByte() throws {
        let page = try Self.page()
        let stored = try JSONEncoder().encode(page)
        let read = try JSONDecoder().decode(FlattenedPage.self, from: stored)
        #expect(read.report == page.report && read.text == page.text)
        #expect(try JSONEncoder().encode(read).count == stored.count)
        // Places on the photograph come of the map.
        func place(_ page: FlattenedPage) -> FlatteningReport.Place {
            FlatteningReport.Place(
                Box(left: 40, top: 40, right: 240, bottom: 70), map: page.map,
                pixelsPerMillimeter: page.pixelsPerMillimeter)
        }
        #expect(place(page) == place(read) && place(read).photograph != nil)
    }

    @Test(arguments: [0, 5e-324, 1e9]) func aResolutionThatNoPageHasIsRefused(density: Double) throws {
        let stored = try JSONEncoder().encode(try Self.page())
        var json = try #require(try JSONSerialization.jsonObject(with: stored) as? [String: Any])
        json["pixelsPerMillimeter"] = density
        let changed = try JSONSerialization.data(withJSONObject: json)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FlattenedPage.self, from: changed) }
    }

    @Test(arguments: [("width", 0), ("height", 1 << 25), ("spacing", 0), ("width", 9)])
    func aMapWhoseSizesAndNodesDoNotAgreeIsRefused(key: String, value: Int) throws {
        let stored = try JSONEncoder().encode(try Self.page())
        var json = try #require(try JSONSerialization.jsonObject(with: stored) as? [String: Any])
        var map = try #require(json["map"] as? [String: Any])
        map[key] = value
        json["map"] = map
        let changed = try JSONSerialization.data(withJSONObject: json)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FlattenedPage.self, from: changed) }
    }
}
