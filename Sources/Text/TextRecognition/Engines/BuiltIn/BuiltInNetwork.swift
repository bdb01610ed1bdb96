import Diagnostics
import LineNetwork
import RuntimeLibraries

/// The recogniser of this package: no library, no file.
struct BuiltInNetwork: LineRecognizer {
    private let network: LineNetwork
    private let alphabet: LineAlphabet

    /// Address space to reserve for the weights, in bytes, with as much again for other allocations.
    private static let bytesOfWeights = 16 << 20
    /// The same for each column of a row: the maps of the widest layers take 8 kB.
    private static let bytesOfColumn = 16 << 10

    /// - Parameter languages: decide which of the network's characters may be read.
    /// - Throws: `.shortage` where memory is short.
    init(languages: [String]) throws(FlatteningError) {
        guard Resources.canReserve(Self.bytesOfWeights) else { throw Self.outOfMemory }
        network = .shared
        alphabet = LineAlphabet(characters: network.characters, hasBlank: true, languages: languages)
    }

    var version: String { LineNetwork.version }

    func signs(in picture: LinePicture) throws(FlatteningError) -> [DecodedSign] {
        guard Resources.canReserve(Self.bytesOfColumn * picture.columns) else { throw Self.outOfMemory }
        let numbers = network.probabilities(of: picture.pixels, columns: picture.columns)
        return numbers.withUnsafeBufferPointer {
            LineDecoding.signs(in: $0, classes: network.classes, alphabet: alphabet)
        }
    }

    private static var outOfMemory: FlatteningError {
        .shortage(of: "the built-in reader", stage: .text, detail: nil)
    }
}
