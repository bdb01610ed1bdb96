import Foundation
import Imaging
import Testing

@Suite struct SmallFloatTests {
    @Test(
        arguments: [
            (0x0000, 0), (0x8000, -0.0), (0x3C00, 1), (0xC000, -2), (0x7BFF, 65504),
            (0x0001, 5.960464477539063e-8),
            (0x03FF, 6.097555160522461e-5), (0x0400, 6.103515625e-5), (0x7C00, .infinity),
            (0x3555, 0.333251953125),
        ] as [(UInt16, Float)])
    func numbersOf16BitsAreExact(bits: UInt16, value: Float) {
        let converted = SmallFloat.float(half: bits)
        #expect(converted == value && converted.sign == value.sign)
        #expect(SmallFloat.float(half: 0x7E00).isNaN)
    }

    @Test func oneOf24BitsIsAnExponentOf63AndNoFraction() {
        #expect(SmallFloat.float(bits24: 63 << 16) == 1)
        #expect(SmallFloat.float(bits24: 1 << 23 | 64 << 16 | 0x8000) == -3)
        #expect(SmallFloat.float(bits24: 127 << 16) == .infinity)
        // The smallest denormal is 2^(-62 - 16).
        #expect(SmallFloat.float(bits24: 1) == Float(sign: .plus, exponent: -78, significand: 1))
    }

    @Test func eachNumberOf16BitsIsReadAsIEEE754DefinesIt() {
        for bits in UInt16.min...UInt16.max {
            let number = Double(SmallFloat.float(half: bits))
            let exponent = Int(bits >> 10) & 31
            let fraction = Double(bits & 1023) / 1024
            let magnitude =
                switch exponent {
                case 0: scalbn(fraction, -14)
                case 31: fraction == 0 ? Double.infinity : .nan
                default: scalbn(1 + fraction, exponent - 15)
                }
            let expected = bits < 0x8000 ? magnitude : -magnitude
            #expect(number == expected || (number.isNaN && expected.isNaN), "\(bits)")
            #expect(number.isNaN || number.sign == expected.sign)
        }
    }
}
