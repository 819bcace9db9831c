package import NephosRunner

extension RawResponse {
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    package var text: String { String(decoding: body, as: UTF8.self) }
}
