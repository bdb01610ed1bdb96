/// An image or map: `width` x `height` elements, row after row from the top, without padding.
///
/// The centre of the top-left element lies at (0, 0), so element (x, y) covers x ± 0.5, y ± 0.5.
/// The element at (x, y) is `elements[y * width + x]`.
@frozen
public struct Raster<Element: Sendable>: Sendable {
    /// Number of columns, at least 0.
    public let width: Int
    /// Number of rows, at least 0.
    public let height: Int
    /// All elements, row-major. Code that replaces them must keep their count, `width * height`.
    public var elements: [Element]

    /// A raster with the same value everywhere.
    /// - Precondition: both sizes are at least 0.
    @inlinable
    public init(width: Int, height: Int, filledWith element: Element) {
        precondition(width >= 0 && height >= 0, "a raster's sizes are at least 0")
        self.init(width: width, height: height, elements: Array(repeating: element, count: width * height))
    }

    /// A raster over existing elements, row-major.
    /// - Precondition: `elements.count == width * height`.
    @inlinable
    public init(width: Int, height: Int, elements: [Element]) {
        precondition(width >= 0 && height >= 0, "a raster's sizes are at least 0")
        precondition(elements.count == width * height, "\(elements.count) elements for \(width) x \(height)")
        self.width = width
        self.height = height
        self.elements = elements
    }

    /// A raster whose memory is filled in place by `initializer`, which must write every element.
    @inlinable
    package init(
        width: Int, height: Int,
        initializingWith initializer: (UnsafeMutableBufferPointer<Element>) throws -> Void
    ) rethrows {
        precondition(width >= 0 && height >= 0, "a raster's sizes are at least 0")
        let count = width * height
        self.width = width
        self.height = height
        self.elements = try Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            preferLargePages(UnsafeMutableRawBufferPointer(buffer))
            try initializer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            initialized = count
        }
    }

    /// The element in column `x` of row `y`.
    /// - Precondition: `0 <= x < width`, `0 <= y < height`.
    @inlinable
    public subscript(x x: Int, y y: Int) -> Element {
        get {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "(\(x), \(y)) is outside the raster")
            return elements[y * width + x]
        }
        set {
            precondition(x >= 0 && x < width && y >= 0 && y < height, "(\(x), \(y)) is outside the raster")
            elements[y * width + x] = newValue
        }
    }

    /// The size as one value.
    @inlinable public var size: PixelSize { PixelSize(width: width, height: height) }

    /// Transforms each element; the result has the same layout. O(width · height).
    @inlinable
    public func map<Result: Sendable>(_ transform: (Element) throws -> Result) rethrows -> Raster<Result> {
        try Raster<Result>(width: width, height: height, elements: elements.map(transform))
    }
}

extension Raster: Equatable where Element: Equatable {}

/// The size of an image or map in pixels.
@frozen
public struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Number of columns.
    public var width: Int
    /// Number of rows.
    public var height: Int

    /// A size of `width` columns and `height` rows.
    @inlinable
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Number of pixels.
    @inlinable public var pixelCount: Int { width * height }

    /// "640 x 480".
    public var description: String { "\(width) x \(height)" }
}
