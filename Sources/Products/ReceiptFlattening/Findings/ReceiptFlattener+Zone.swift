import Captures
import Documents
import Imaging
import SheetFlattening

/// The machine-readable zone on a page that has not been turned upright.
struct ZoneOnPage {
    /// The zone, in pixels of the page at the photograph's density.
    let zone: RecognizedZone
    /// The size of that page.
    let size: PixelSize

    /// Returns the zone on the page turned by quarter turns.
    func turned(clockwiseQuarters quarters: Int) -> RecognizedZone {
        let turns: [ImageOrientation] = [.up, .right, .down, .left]
        return zone.moved { turns[quarters % 4].turn($0, in: size) }
    }
}

extension ReceiptFlattener {
    /// Finds the zone on a sheet's page, if there is one.
    func zone(
        of sheet: UnrolledSheet, on page: PageLayout, in capture: Capture, until deadline: Deadline
    ) -> ZoneOnPage? {
        let map = page.atDensityOfPhotograph().samplingMap()
        let flat = capture.image.resampledGray(through: map, filter: options.filter)
        return ZoneReader(today: options.today, isStopped: { deadline.isOver })
            .zone(
                on: flat, photograph: SheetPhotograph(image: capture.image, map: map),
                isFramed: sheet.isFramedByOutline
            )
            .map { ZoneOnPage(zone: $0, size: map.outputSize) }
    }

    /// Finds the zone on a joined image, if there is one.
    func zone(in picture: GrayImage, until deadline: Deadline) -> RecognizedZone? {
        ZoneReader(today: options.today, isStopped: { deadline.isOver }).zone(in: picture, look: .alongSides)
    }
}
