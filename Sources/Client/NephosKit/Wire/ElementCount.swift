import CloudKitWire

/// Counts what is in the lists of one response, and in the files of one record.
///
/// The limit of a response's bytes does not limit its memory: an element takes many times the two bytes of `1,`. A record has at most
/// 1 MB at the server.
final class ElementCount {
    private var elements = 0
    private var files = 0

    /// Whether reading a record has ended because of its files.
    var hasTooManyFiles: Bool { files > AnswerLimits.files }

    func beginRecord() { files = 0 }

    func addElement() throws(WireError) {
        elements += 1
        guard elements <= AnswerLimits.elements else {
            throw WireError("the lists of the answer have more than \(AnswerLimits.elements) elements", isLimit: true)
        }
    }

    func addFile() throws(WireError) {
        files += 1
        guard !hasTooManyFiles else {
            throw WireError("the record has more than \(AnswerLimits.files) files", isLimit: true)
        }
    }
}
