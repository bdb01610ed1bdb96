// What the sources take from the system: C's own functions and, of Foundation, the part that stands without ICU. Where that
// part is a module of its own, a program that links it and not Foundation is 30 MB smaller and starts in a quarter of the
// time; on Apple's systems Foundation belongs to the system and costs neither.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
