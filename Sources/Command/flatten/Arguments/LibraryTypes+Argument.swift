import Captures
import ReceiptOutputs
import SheetFlattening
public import ArgumentParser
public import DocumentArchive
public import Documents
public import ReceiptFlattening

/// Points of an image as people write them: "12,34"; several are separated by blanks. `--corners="-3,5 700,8 ..."` keeps a
/// leading minus from being taken for an option.
struct PicturePoints: ExpressibleByArgument, Sequence {
    private let points: [SIMD2<Double>]

    init?(argument: String) {
        let read = argument.split(separator: " ").map { point -> SIMD2<Double>? in
            let parts = point.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
                return nil
            }
            return SIMD2(x, y)
        }
        points = read.compactMap(\.self)
        guard !points.isEmpty, points.count == read.count else { return nil }
    }

    func makeIterator() -> IndexingIterator<[SIMD2<Double>]> { points.makeIterator() }
}

extension SheetEdge: ExpressibleByArgument {}
extension SurfaceMethod: ExpressibleByArgument {}
extension PagedReceipt.Joining: ExpressibleByArgument {}
extension TextReader: ExpressibleByArgument {}
extension MergedPDF.PageSize: ExpressibleByArgument {}
extension ArchivedDocument.File.Role: ExpressibleByArgument {}
extension ArchiveTotal.Grouping: ExpressibleByArgument {}
extension ArchiveQuery.Order: ExpressibleByArgument {}
extension CaptureDescription.Depth.Kind: ExpressibleByArgument {}
extension CaptureDescription.Depth.Projection: ExpressibleByArgument {}

// A request stores these option values by the words that name them.
extension SheetEdge: Codable {}
extension SurfaceMethod: Codable {}
extension LightCorrection: Codable {}
extension TextReader: Codable {}
extension SheetContent: Codable {}
extension PersonalData: Codable {}
extension VCard.Version: Codable {}
extension MergedPDF.PageSize: Codable {}
extension CaptureDescription.Depth.Kind: Codable {}
extension CaptureDescription.Depth.Projection: Codable {}
