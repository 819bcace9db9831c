/// How a stand-in answers one request.
package struct ScriptedAnswer: Sendable {
    enum Ending: Sendable {
        /// The answer is complete.
        case complete
        /// Nothing is sent: the client waits.
        case hang
        /// The connection is closed instead of an answer.
        case cut
        /// The connection is closed after the head and a part of the body.
        case cutInBody
        /// The head and a part of the body are sent, and nothing after them.
        case hangInBody
        /// The body never ends, and is sent as fast as the client reads.
        case endless
        /// Interim responses without end, as fast as the client reads them.
        case endlessInterim
    }

    /// How many interim responses (103) are sent first.
    var interim = 0
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body = ""
    var ending = Ending.complete

    /// A complete answer.
    package static func status(
        _ status: Int, headers: [(name: String, value: String)] = [], body: String = ""
    ) -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: headers, body: body)
    }

    /// An answer of APNs with a reason.
    package static func apns(
        _ status: Int, _ reason: String, headers: [(name: String, value: String)] = []
    ) -> ScriptedAnswer {
        .status(status, headers: headers, body: #"{"reason":"\#(reason)"}"#)
    }

    package static let hang = ScriptedAnswer(ending: .hang)
    package static let cut = ScriptedAnswer(ending: .cut)
    package static func cutInBody(_ status: Int) -> ScriptedAnswer {
        ScriptedAnswer(status: status, ending: .cutInBody)
    }
    package static func hangInBody(_ status: Int) -> ScriptedAnswer {
        ScriptedAnswer(status: status, ending: .hangInBody)
    }
    package static let endlessInterim = ScriptedAnswer(ending: .endlessInterim)
    /// A complete answer after some interim responses.
    package static func status(_ status: Int, afterInterim interim: Int) -> ScriptedAnswer {
        ScriptedAnswer(interim: interim, status: status)
    }
    package static func endless(_ status: Int) -> ScriptedAnswer { ScriptedAnswer(status: status, ending: .endless) }
}
