internal import CLineNetwork

extension LineNetwork {
    /// Returns the probability of each class at each step along a line.
    /// - Parameters:
    ///   - picture: `height` rows of `columns` numbers each, -1 for black to 1 for white.
    ///   - columns: a multiple of `stepWidth`, greater than zero.
    /// - Returns: the classes' probabilities, step after step; `columns / stepWidth` steps.
    package func probabilities(of picture: [Float], columns: Int) -> [Float] {
        precondition(
            columns > 0 && columns % Self.stepWidth == 0 && picture.count == Self.height * columns)
        let work = LineWorkspace(kernel)
        let image = LineMap(height: Self.height, width: columns, channels: 1, numbers: picture)
        var map = entered(image, work)
        for block in blocks { map = passed(map, through: block, work) }
        var classes = head(turned(stepped(map), work), in: work)
        let (places, count) = (Int32(classes.places), Int32(classes.channels))
        classes.change { clinenetwork_probabilities($0, places, count) }
        return classes.numbers
    }

    private func entered(_ image: LineMap, _ work: LineWorkspace) -> LineMap {
        let halving = clinenetwork_window(side: 3, stride: 2, before: 1)
        let square = clinenetwork_window(side: 2, stride: 1, before: 0)
        let first = stem.first.onWindows(halving, of: image, in: work)
        let left = stem.left.onWindows(square, of: first, in: work)
        let both = 2 * first.channels
        let beside = LineMap(height: first.height, width: first.width, channels: both) { output in
            first.read {
                clinenetwork_greatest(
                    $0, Int32(first.height), Int32(first.width), Int32(first.channels), output, Int32(both))
            }
            stem.right.onWindows(
                square, of: left, height: first.height, width: first.width, into: output + first.channels,
                step: both, in: work)
        }
        return stem.widened(stem.mixed.onWindows(halving, of: beside, in: work), CLINENETWORK_RELU, in: work)
    }

    private func passed(_ input: LineMap, through block: Block, _ work: LineWorkspace) -> LineMap {
        var map = block.neighbours(input, rows: 3, stride: block.stride, in: work)
        block.gate?.apply(to: &map, in: work)
        return block.expand.mixed(with: block.project, map, in: work)
    }

    /// Reduces a map to one place for each step.
    private func stepped(_ input: LineMap) -> LineMap {
        LineMap(height: 1, width: input.width / 2, channels: input.channels) { output in
            input.read {
                clinenetwork_pool(
                    $0, Int32(input.height), Int32(input.width), Int32(input.channels), output)
            }
        }
    }

    private func turned(_ input: LineMap, _ work: LineWorkspace) -> LineMap {
        let narrow = swish(steps.narrow(input, in: work))
        var map = swish(steps.neighbours(narrow, rows: 1, in: work))
        add(narrow, to: &map)
        for turn in turns {
            add(turn.attended(attended(turn.views(turn.before(map), in: work), work), in: work), to: &map)
            add(turn.project(swish(turn.expand(turn.between(map), in: work)), in: work), to: &map)
        }
        map = last(map)
        add(swish(steps.beside(input, in: work)), to: &map)
        return map
    }

    private func attended(_ views: LineMap, _ work: LineWorkspace) -> LineMap {
        let channels = views.channels / 3
        precondition(channels <= Self.heads * Int(CLINENETWORK_MOST_OF_HEAD))
        let numbersOfPlace = Int(CLINENETWORK_ATTENTION)
        return LineMap(height: 1, width: views.width, channels: channels) { output in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: views.width * numbersOfPlace) { scratch in
                guard let scratch = scratch.baseAddress else { return }
                views.read {
                    clinenetwork_attend(
                        work.kernel, $0, Int32(views.width), Int32(Self.heads), Int32(channels / Self.heads),
                        output, scratch)
                }
            }
        }
    }

    private func swish(_ map: LineMap) -> LineMap {
        var map = map
        let count = map.numbers.count
        map.change { clinenetwork_swish($0, count) }
        return map
    }

    private func add(_ addends: LineMap, to map: inout LineMap) {
        let count = map.numbers.count
        precondition(addends.numbers.count == count)
        addends.read { addends in map.change { clinenetwork_add(addends, count, $0) } }
    }
}
