import Testing

@testable import ReceiptFlattening

@Suite struct UprightTurnTests {
    /// A page that lies turned by three quarters in the photograph, and whose rows do not tell.
    private let undecided = UprightTurn(
        turnsOfPage: 1, decision: .init(quarterTurns: 0, decidedBy: "photograph", confidence: 0),
        isUndecided: true)

    @Test func aPageTurnsToTheWayInWhichItReadsFarBetter() {
        let turn = undecided.decided(byReading: [20, 30, 10, 400])
        #expect(turn.turnsOfPage == 3 && !turn.isInDoubt)
        // Two more than the page had to be turned to stand as in the photograph.
        #expect(turn.decision.quarterTurns == 2 && turn.decision.decidedBy == "text")
        #expect(abs(turn.decision.confidence - 400 / 460.0) < 1e-12)
    }

    @Test(arguments: [[0.0, 0, 0, 0], [20, 30, 10, 90], [300, 30, 10, 400]])
    func withLittleReadOrARivalItStaysAsItIs(characters: [Double]) {
        let turn = undecided.decided(byReading: characters)
        #expect(turn.turnsOfPage == 1 && turn.decision.quarterTurns == 0 && turn.isInDoubt)
    }

    @Test func aDecisionThatHalfThePagesDisproveIsInDoubt() {
        func turn(_ confidence: Double) -> UprightTurn {
            UprightTurn(
                turnsOfPage: 0, decision: .init(quarterTurns: 0, decidedBy: "text", confidence: confidence),
                isUndecided: false)
        }
        #expect(turn(0.4).isInDoubt && !turn(0.6).isInDoubt)
        // Nothing is printed there.
        #expect(!turn(0).isInDoubt)
    }
}
