import Testing

@testable import TextRecognition

@Suite struct LineDecodingTests {
    /// Classes: nothing, "a", "b", one that is not read on a page of Latin letters, a blank.
    private static func decode(_ steps: [[Float]]) throws -> [DecodedSign] {
        let alphabet = try #require(
            LineAlphabet(characters: ["a", "b", "日"], classes: 5, languages: ["eng"]))
        return steps.flatMap(\.self).withUnsafeBufferPointer {
            LineDecoding.signs(in: $0, classes: 5, alphabet: alphabet)
        }
    }

    private static let nothing: [Float] = [1, 0, 0, 0, 0]
    private static func sure(_ index: Int, _ probability: Float = 1) -> [Float] {
        var step: [Float] = [1 - probability, 0, 0, 0, 0]
        step[index] = probability
        return step
    }

    @Test func repeatedStepsAreOneSignAndWhatLiesBetweenPartsTwo() throws {
        let signs = try Self.decode([
            Self.sure(1), Self.sure(1), Self.nothing, Self.sure(1), Self.sure(2), Self.sure(2),
        ])
        #expect(signs.map(\.text) == ["a", "a", "b"])
        // The middles of steps 0 to 1, 3, and 4 to 5, of 8 pixels each.
        #expect(signs.map(\.middle) == [8, 28, 40])
    }

    @Test func aSignIsAsSureAsItsSurestStep() throws {
        let signs = try Self.decode([Self.sure(1, 0.625), Self.sure(1, 0.875), Self.sure(1, 0.75)])
        #expect(signs == [DecodedSign(text: "a", confidence: 0.875, middle: 12)])
    }

    /// A blank is not a sign but says how sure one is before the next; also where another class is likelier.
    @Test func aSignKnowsTheBlankBeforeIt() throws {
        let signs = try Self.decode([
            Self.sure(1), Self.sure(4, 0.25), Self.sure(4, 0.875), Self.sure(2), Self.sure(4, 0.125),
            Self.sure(1),
        ])
        #expect(signs.map(\.text) == ["a", "b", "a"])
        #expect(signs.map(\.blank) == [0, 0.875, 0.125])
    }

    @Test func whereASignMayNotBeReadTheNextLikeliestIs() throws {
        let signs = try Self.decode([[0.125, 0.25, 0, 0.625, 0], [0.25, 0.125, 0, 0.625, 0]])
        #expect(signs == [DecodedSign(text: "a", confidence: 0.25, middle: 4)])
    }

    @Test func anEmptyLineHasNoSigns() throws {
        #expect(try Self.decode([]).isEmpty)
        #expect(try Self.decode([Self.nothing, Self.nothing]).isEmpty)
    }
}
