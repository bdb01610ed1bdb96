extension Raster {
    /// Each element replaced by what `mix` makes of it and its two neighbours, along rows and then along columns; the rim
    /// repeats. O(elements).
    ///
    /// `{ ($0 + 2 * $1 + $2) / 4 }` is the binomial filter, `{ ($0 + $1 + $2) / 3 }` the mean over 3 x 3 elements.
    @inlinable
    package func smoothed(_ mix: (_ before: Element, _ here: Element, _ after: Element) -> Element) -> Raster
    {
        let across = Raster(width: width, height: height) { across in
            elements.withUnsafeBufferPointer { elements in
                for y in 0..<height {
                    let row = y * width
                    for x in 0..<width {
                        let (before, after) = (x > 0 ? x - 1 : x, x + 1 < width ? x + 1 : x)
                        across.initializeElement(
                            at: row + x,
                            to: mix(elements[row + before], elements[row + x], elements[row + after]))
                    }
                }
            }
        }
        return Raster(width: width, height: height) { result in
            across.elements.withUnsafeBufferPointer { across in
                for y in 0..<height {
                    let row = y * width
                    let (above, below) = (y > 0 ? row - width : row, y + 1 < height ? row + width : row)
                    for x in 0..<width {
                        result.initializeElement(
                            at: row + x, to: mix(across[above + x], across[row + x], across[below + x]))
                    }
                }
            }
        }
    }
}
