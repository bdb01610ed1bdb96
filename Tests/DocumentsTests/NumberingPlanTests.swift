import Testing

@testable import Documents

@Suite("Numbering plans") struct NumberingPlanTests {
    // One number each of a fixed and of a mobile telephone: the examples that libphonenumber 9.0.43 gives for the region.
    @Test(
        "Example numbers of each region are known with their use",
        arguments: [
            ("DE", "30123456", "15123456789"), ("GB", "1212345678", "7400123456"),
            ("FR", "123456789", "612345678"),
            ("ES", "810123456", "612345678"), ("IT", "0212345678", "3123456789"),
            ("MY", "323856789", "123456789"),
            ("AU", "212345678", "412345678"), ("NL", "101234567", "612345678"),
            ("PT", "212345678", "912345678"),
            ("JP", "312345678", "9012345678"),
        ])
    func examples(code: String, fixed: String, mobile: String) throws {
        let region = try #require(NumberingPlan.shared.region(code))
        #expect(region.use(of: fixed[...]) == .fixed)
        #expect(region.use(of: mobile[...]) == .mobile)
        #expect(region.use(of: fixed.prefix(3)) == nil, "three digits are no number")
    }

    @Test("A number that may be either is taken for a fixed one: North America has no mobile prefixes")
    func eitherUse() throws {
        #expect(try #require(NumberingPlan.shared.region("US")).use(of: "2015550123") == .fixed)
    }

    @Test("A country code is the shortest that is one") func countryCodes() throws {
        let split = try #require(NumberingPlan.shared.split(international: "351212345678"))
        #expect(split.regions.map(\.code) == ["PT"])
        #expect(split.national == "212345678")
        #expect(NumberingPlan.shared.split(international: "999123") == nil)
        #expect(NumberingPlan.shared.split(international: "") == nil)
    }

    @Test(
        "Lines of another form are left out",
        arguments: ["XX", "XX 99 0 f:zz/9", "XX 99 0 f:10-5/9", "XX 99 0 f", "# DE 49 0"])
    func oddLines(line: String) {
        let plan = NumberingPlan(file: line)
        #expect(plan.region("XX")?.use(of: "1012345678") == nil)
        #expect(plan.region("DE") == nil)
    }
}
