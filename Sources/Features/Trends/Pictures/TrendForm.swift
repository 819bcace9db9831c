import Charts
import CloudKitWire
import NephosDomain
import NephosRunner

/// The form of a response about series, as requested by `Accept` or by `form`.
enum TrendForm: Sendable {
    case rows, columns
    /// A file for spreadsheets.
    case csv
    /// A standalone picture.
    case svg(TrendPicture)
    /// Columns, and for each series its totals, its first day and its chart: the page's large view.
    case charts(TrendPicture)
    /// The same with sparklines instead of charts.
    case sparklines(TrendPicture)

    /// - Throws: ``Refusal/badRequest(_:)``.
    init(_ request: RawRequest) throws(Refusal) {
        let accepted = request.headers.first(.accept) ?? ""
        switch RequestQuery.value(of: "form", in: request.target) {
        case nil where accepted.hasPrefix("text/csv"): self = .csv
        case nil where accepted.hasPrefix("image/svg+xml"), "svg": self = .svg(try TrendPicture(request.target))
        case nil, "rows": self = accepted.hasPrefix("text/csv") ? .csv : .rows
        case "columns": self = accepted.hasPrefix("text/csv") ? .csv : .columns
        case "csv": self = .csv
        case "charts": self = .charts(try TrendPicture(request.target))
        case "sparklines": self = .sparklines(try TrendPicture(request.target))
        default: throw .badRequest("form must be rows, columns, csv, svg, charts or sparklines")
        }
    }

    func answer(_ answer: TrendAnswer, _ call: AdmittedCall) -> RawResponse {
        switch self {
        case .rows: return call.success(answer.rowsJSON)
        case .columns: return call.success(answer.columnsJSON)
        case .csv:
            var file = call.success(answer.csv)
            file.contentType = "text/csv; charset=utf-8"
            return file
        case .svg(let picture):
            var file = call.success(answer.svg(picture.view, width: picture.width))
            file.contentType = "image/svg+xml; charset=utf-8"
            // Allows its own style and no scripts, wherever it is opened.
            file.headers += [
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
                ("X-Content-Type-Options", "nosniff"),
            ]
            return file
        case .charts(let picture):
            let isLast = RequestQuery.value(of: "last", in: call.call.request.target) != nil
            let answer = isLast ? answer.sinceFirst : answer
            return call.success(answer.json(picture) { answer.chart(of: $0, picture.view).svg($1) })
        case .sparklines(let picture):
            return call.success(answer.json(picture) { answer.sparkline(of: $0, picture.view).svg($1) })
        }
    }
}

/// How a picture is to be drawn: `view`, `width`, and `id` for pages with several pictures.
struct TrendPicture: Sendable {
    private static let idBytesMax = 64

    let view: TrendView
    let width: Int
    /// Distinguishes the picture from others on the same page.
    let id: String

    init(_ target: String) throws(Refusal) {
        guard let view = RequestQuery.value(of: "view", in: target).map({ TrendView(rawValue: $0) }) ?? .created else {
            throw .badRequest("view must be created, net or live")
        }
        guard let width = RequestQuery.value(of: "width", in: target).map({ Int($0) }) ?? 768, 1...100_000 ~= width
        else {
            throw .badRequest("width must be a number of pixels")
        }
        id = RequestQuery.value(of: "id", in: target) ?? "trends"
        guard id.utf8.count <= Self.idBytesMax else {
            throw .badRequest("id must have at most \(Self.idBytesMax) bytes")
        }
        (self.view, self.width) = (view, width)
    }
}

/// The ID and width of one of several pictures on a page.
struct PagePicture {
    let id: String
    let width: Int
}

extension Chart {
    /// Without a title and a style, as the page has both.
    fileprivate func svg(_ picture: PagePicture) -> String {
        svg(id: picture.id, width: picture.width, showsTitle: false, carriesStyle: false)
    }
}

extension Sparkline {
    fileprivate func svg(_ picture: PagePicture) -> String {
        svg(id: picture.id, width: picture.width, height: 48, carriesStyle: false)
    }
}
