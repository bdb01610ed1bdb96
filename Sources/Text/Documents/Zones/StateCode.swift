/// The codes of states and organisations in zones: ISO 3166-1's three letters, and those that ICAO 9303-3 adds, among them XXX for
/// a person of unknown nationality and UTO for its specimens.
enum StateCode {
    /// How much less likely a code is that is not known, as a natural logarithm: one in 400.
    static let unknown = -6.0

    /// Characters of each code.
    static let known: Set<[Int]> = Set(
        codes.split(separator: " ").map { code in
            (Array(code) + Array(repeating: "<", count: 3 - code.count)).compactMap(ZoneAlphabet.index)
        })

    private static let codes = """
        ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH \
        BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB \
        CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO \
        GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN \
        IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA \
        MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER \
        NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU \
        RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA \
        TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT \
        WLF WSM YEM ZAF ZMB ZWE D GBD GBN GBO GBP GBS RKS EUE UNO UNA UNK XAA XBA XIM XCC XCE XCO XEC XPO XES XMP XOM \
        XDC XXA XXB XXC XXX UTO
        """
}
