import Testing

@testable import NephosDomain

/// docs/decisions/0064: change tags of records of others.
@Suite("Change tags of shared records") struct MemberTagsTests {
    @Test("They are those of SipHash-2-4, as another program computes it")
    func reference() {
        let tags = MemberTags(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
        // Of the bytes 0 to 23, of which each number is eight, the least significant first.
        #expect(
            tags.tag(of: 0x0f0e_0d0c_0b0a_0908, in: 0x0706_0504_0302_0100, at: 0x1716_1514_1312_1110)
                == 0xb8ad_50c6_f649_af94)
    }

    @Test("They differ by record, database, change and container") func different() {
        let (tags, others) = (MemberTags(key: [1]), MemberTags(key: [2]))
        let all = [
            tags.tag(of: 1, in: 2, at: 3), tags.tag(of: 2, in: 1, at: 3), tags.tag(of: 1, in: 3, at: 2),
            others.tag(of: 1, in: 2, at: 3),
        ]
        #expect(Set(all).count == all.count)
        #expect(MemberTags(key: [1]).tag(of: 1, in: 2, at: 3) == all[0])
    }
}
