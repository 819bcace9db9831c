import NephosDelivery
import NephosPost
import Testing

@Suite("Delivery ids")
struct DeliveryIDTests {
    @Test("A lowercase UUID is valid")
    func valid() throws {
        #expect(DeliveryID(someID)?.text == someID)
        #expect(DeliveryID(someID.uppercased())?.text == someID)
        #expect(try makeID().description == someID)
    }

    @Test(
        "Anything else is invalid",
        arguments: [
            "", "8f14e45fceea467fa1ab0d2f6a3c7e55", someID + "0", String(someID.dropLast()),
            "8f14e45f-ceea-467f-a1ab-0d2f6a3c7e5g", "8f14e45f-ceea-467f-a1ab-0d2f6a3c7e\r\n",
            "{8f14e45f-ceea-467f-a1ab-0d2f6a3c7e}", "8f14e45f0ceea-467f-a1ab-0d2f6a3c7e55",
            "８f14e45f-ceea-467f-a1ab-0d2f6a3c7",
        ])
    func invalid(text: String) {
        #expect(DeliveryID(text) == nil)
    }
}
