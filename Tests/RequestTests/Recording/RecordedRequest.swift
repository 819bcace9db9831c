import NephosStorage
import RequestTesting

/// One request of the recording. Its target and its body may have placeholders for values of earlier responses (``FormerAnswers``).
struct RecordedRequest {
    /// What to wait for.
    enum Ending {
        case answer
        /// A device receives nothing before the server stops.
        case nothing
        /// This many events of a stream.
        case events(Int)
    }

    var caller: SmallCloud.Caller
    var method = "POST"
    /// A path below that of the container, or an absolute one.
    var target: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The name of its response in later requests.
    var name: String?
    /// The time after the previous request at which it is sent.
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

    /// Requests the additional keys.
    static let extras = [(name: "X-Nephos-Client", value: "1")]

    /// The same request with other headers.
    func with(_ headers: [(name: String, value: String)]) -> Self {
        var copy = self
        copy.headers += headers
        return copy
    }
}
