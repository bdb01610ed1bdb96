/// A character that a line recogniser read.
struct DecodedSign: Equatable {
    var text: String
    /// 0 to 1: how sure the model was at the step where it was surest.
    var confidence: Double
    /// The middle of the steps that read this sign, in pixels of the image.
    var middle: Double
    /// 0 to 1: the highest probability of a blank at any step between the sign before and this one.
    var blank = 0.0
    /// The likeliest look-alike at the sign's surest step; nil where no sign looks like it.
    var lookalike: Lookalike?

    /// A similar sign that may be meant instead.
    struct Lookalike: Equatable {
        var text: String
        /// 0 to 1.
        var confidence: Double
    }
}

/// Decodes the text of one line from the output of a recogniser trained with connectionist temporal classification
/// (Graves et al., ICML 2006): takes the likeliest class at each step of the image, without repetitions and without the
/// class between characters.
enum LineDecoding {
    /// Returns the signs of a line from left to right, each with the blank before it.
    /// - Parameters:
    ///   - numbers: the probability of each class, step after step.
    /// - Complexity: O(steps · readable classes).
    static func signs(
        in numbers: UnsafeBufferPointer<Float>, classes: Int, alphabet: LineAlphabet
    ) -> [DecodedSign] {
        var signs: [DecodedSign] = []
        var last = LineAlphabet.between
        var first = 0
        var blank = 0.0
        for step in 0..<numbers.count / classes {
            let own = UnsafeBufferPointer(rebasing: numbers[step * classes..<(step + 1) * classes])
            let (best, probability) = likeliest(own, alphabet)
            defer { last = best }
            blank = max(blank, alphabet.blank.map { Double(own[$0]) } ?? 0)
            guard best != LineAlphabet.between, best != alphabet.blank, let text = alphabet.signs[best] else {
                continue
            }
            if best != last {
                first = step
                signs.append(DecodedSign(text: text, confidence: 0, middle: 0, blank: blank))
            }
            blank = 0
            let index = signs.count - 1
            if probability > signs[index].confidence {
                signs[index].confidence = probability
                signs[index].lookalike = alphabet.lookalikes[best]?.max { own[$0] < own[$1] }.flatMap {
                    other in
                    alphabet.signs[other].map { .init(text: $0, confidence: Double(own[other])) }
                }
            }
            signs[index].middle = Double(first + step + 1) / 2 * Double(LinePicture.stepWidth)
        }
        return signs
    }

    private static func likeliest(
        _ numbers: UnsafeBufferPointer<Float>, _ alphabet: LineAlphabet
    ) -> (index: Int, probability: Double) {
        var best = LineAlphabet.between
        var greatest = -Float.infinity
        for index in numbers.indices where numbers[index] > greatest {
            (best, greatest) = (index, numbers[index])
        }
        if best == LineAlphabet.between || alphabet.signs[best] != nil { return (best, Double(greatest)) }
        if let plain = alphabet.withoutAccent[best] { return (plain, Double(greatest)) }
        // The likeliest class must not be read, so take the likeliest of the readable ones.
        let second = alphabet.readable.max { numbers[$0] < numbers[$1] } ?? LineAlphabet.between
        return (second, Double(numbers[second]))
    }
}
