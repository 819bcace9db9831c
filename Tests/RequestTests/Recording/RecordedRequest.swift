import NephosStorage
import RequestTesting

/// One request of the recording. Its target and its body may have places that are filled from answers before it
/// (``FormerAnswers``).
struct RecordedRequest {
    /// What is waited for.
    enum Ending {
        case answer
        /// Nothing comes to a device before the server stops.
        case nothing
        /// So many events of a stream.
        case events(Int)
    }

    var caller: SmallCloud.Caller
    var method = "POST"
    /// A path below that of the container, or a whole one.
    var target: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// What later requests call its answer.
    var name: String?
    /// How long after the request before it is sent.
    var later: Milliseconds = 100
    var ending = Ending.answer

    /// A POST of JSON, or of anything.
    init(
        _ caller: SmallCloud.Caller, _ target: String, _ body: String = "{}", as name: String? = nil,
        headers: [(name: String, value: String)] = [], later: Milliseconds = 100
    ) {
        self.caller = caller
        self.target = target
        self.body = Array(body.utf8)
        self.name = name
        self.headers = headers
        self.later = later
    }

    /// Any method, without a body.
    init(
        _ method: String, _ caller: SmallCloud.Caller, _ target: String, headers: [(name: String, value: String)] = [],
        later: Milliseconds = 100, ending: Ending = .answer
    ) {
        self.caller = caller
        self.method = method
        self.target = target
        self.headers = headers
        self.later = later
        self.ending = ending
    }

    /// Asks for the extra keys.
    static let extras = [(name: "X-Nephos-Client", value: "1")]

    /// The same request with other headers.
    func with(_ headers: [(name: String, value: String)]) -> Self {
        var copy = self
        copy.headers += headers
        return copy
    }
}
