import Imaging

/// A cascade of boosted trees over Haar-like features, as OpenCV trains them (Viola and Jones 2001; Lienhart and Maydt 2002).
///
/// A window passes stage after stage; most fail in the first. A stage adds up its trees' answers and compares the sum with a
/// threshold. A tree compares features with thresholds; a feature is a weighted sum of two or three rectangles' brightness,
/// divided by the window's own spread of brightness.
package struct HaarCascade: Sendable {
    /// A rectangle within the window, and the weight of its sum.
    struct Part: Sendable {
        var left: Int32
        var top: Int32
        var width: Int32
        var height: Int32
        var weight: Float
    }

    /// A comparison and where each outcome leads: a positive number is a node of the same tree; the negative of any other is a
    /// leaf.
    struct Node: Sendable {
        var feature: Int32
        var threshold: Float
        var left: Int32
        var right: Int32
    }

    struct Tree: Sendable {
        var firstNode: Int
        var firstLeaf: Int
    }

    struct Stage: Sendable {
        var trees: Range<Int>
        var threshold: Float
    }

    /// The window's size.
    let window: PixelSize
    /// Three parts per feature; missing parts have weight 0.
    let features: [Part]
    let nodes: [Node]
    let leaves: [Float]
    let trees: [Tree]
    let stages: [Stage]
}

extension HaarCascade {
    /// How far a sum may lie below a stage's threshold, as in OpenCV: its files are rounded.
    private static let thresholdSlack: Float = 1e-5
    /// Allowed sides of a window, in pixels.
    private static let windowSides = 8...64
    /// Largest number of nodes in one tree.
    private static let maximumNodes = 64

    /// Reads a cascade from OpenCV's file (`opencv-cascade-classifier`, boosted, upright Haar features).
    ///
    /// Everything is validated: nil if a number is missing, a rectangle lies outside the window, or a link leads to a missing
    /// feature or node or back to an earlier node.
    package init?(xml bytes: [UInt8]) {
        guard let file = CascadeXML(bytes), file.name == "opencv_storage", let cascade = file["cascade"],
            cascade["stageType"]?.words == ["BOOST"], cascade["featureType"]?.words == ["HAAR"],
            let width = cascade["width"]?.wholeNumber, let height = cascade["height"]?.wholeNumber,
            Self.windowSides.contains(width), Self.windowSides.contains(height),
            let stageElements = cascade["stages"]?.children, !stageElements.isEmpty,
            let featureElements = cascade["features"]?.children
        else { return nil }
        window = PixelSize(width: width, height: height)

        var features: [Part] = []
        for element in featureElements {
            guard element["tilted"]?.wholeNumber ?? 0 == 0, let rectangles = element["rects"]?.children,
                (2...3).contains(rectangles.count)
            else { return nil }
            for rectangle in rectangles {
                guard let part = Part(rectangle.numbers, in: window) else { return nil }
                features.append(part)
            }
            if rectangles.count == 2 {
                features.append(Part(left: 0, top: 0, width: 0, height: 0, weight: 0))
            }
        }
        let featureCount = features.count / 3

        var (nodes, leaves, trees, stages) = ([Node](), [Float](), [Tree](), [Stage]())
        for element in stageElements {
            guard let threshold = element["stageThreshold"]?.numbers, threshold.count == 1,
                let weak = element["weakClassifiers"]?.children, !weak.isEmpty
            else { return nil }
            let first = trees.count
            for tree in weak {
                guard let numbers = tree["internalNodes"]?.numbers, let values = tree["leafValues"]?.numbers,
                    !numbers.isEmpty, numbers.count % 4 == 0, numbers.count / 4 <= Self.maximumNodes,
                    values.count == numbers.count / 4 + 1
                else { return nil }
                trees.append(Tree(firstNode: nodes.count, firstLeaf: leaves.count))
                for index in 0..<(numbers.count / 4) {
                    let row = numbers[(4 * index)..<(4 * index + 4)].map { $0 }
                    guard let left = Int32(exactly: row[0]), let right = Int32(exactly: row[1]),
                        let feature = Int32(exactly: row[2]), (0..<featureCount).contains(Int(feature)),
                        // Links must lead forward to a node, so that every walk ends, or to a leaf.
                        [left, right].allSatisfy({
                            $0 > 0 ? Int($0) > index && Int($0) < numbers.count / 4 : -Int($0) < values.count
                        })
                    else { return nil }
                    nodes.append(Node(feature: feature, threshold: Float(row[3]), left: left, right: right))
                }
                leaves += values.map(Float.init)
            }
            stages.append(
                Stage(trees: first..<trees.count, threshold: Float(threshold[0]) - Self.thresholdSlack))
        }
        (self.features, self.nodes, self.leaves) = (features, nodes, leaves)
        (self.trees, self.stages) = (trees, stages)
    }
}

extension HaarCascade.Part {
    /// A rectangle from its numbers (left, top, width, height, weight), which must lie in the window.
    fileprivate init?(_ numbers: [Double]?, in window: PixelSize) {
        guard let numbers, numbers.count == 5, let left = Int32(exactly: numbers[0]),
            let top = Int32(exactly: numbers[1]),
            let width = Int32(exactly: numbers[2]), let height = Int32(exactly: numbers[3]),
            left >= 0, top >= 0, width > 0, height > 0, width <= window.width, height <= window.height,
            Int(left) + Int(width) <= window.width, Int(top) + Int(height) <= window.height
        else { return nil }
        self.init(left: left, top: top, width: width, height: height, weight: Float(numbers[4]))
    }
}
