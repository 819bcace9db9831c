/// A content type, a line break, and a form: however the form is cut, its first part is the same, and is in the form
/// between the end of a line and a boundary.
func fuzzMultipart(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let type = String(decoding: parts[0], as: UTF8.self)
    let whole = read(parts[1], type, pieceBytes: Int.max)
    for pieceBytes in [1, 3, 64] {
        require(read(parts[1], type, pieceBytes: pieceBytes) == whole, "a form differs when it arrives in pieces")
    }
    guard case .content(let content, _) = whole else { return }
    require(content.count < parts[1].count, "a part is as long as its form")
    require(content.isEmpty || parts[1].firstRange(of: content + [13, 10, 45, 45]) != nil, "a part is not in its form")
}

private enum FormAnswer: Equatable {
    case content([UInt8], type: String?)
    case problem(MultipartReader.Problem)
}

private func read(_ form: ArraySlice<UInt8>, _ type: String, pieceBytes: Int) -> FormAnswer {
    do {
        var reader = try MultipartReader(contentType: type)
        var content: [UInt8] = []
        var rest = form
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceBytes))
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBytes { bytes in
                try reader.take(bytes) {
                    require(!$0.isEmpty, "an empty piece is passed on")
                    content += $0
                }
            }
        }
        try reader.finish()
        return .content(content, type: reader.contentType)
    } catch let problem as MultipartReader.Problem {
        return .problem(problem)
    } catch {
        require(false, "a form ends with \(error)")
        return .problem(.endedEarly)
    }
}
