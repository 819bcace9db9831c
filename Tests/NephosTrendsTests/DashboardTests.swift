import Foundation
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Prometheus and Grafana".
@Suite("The dashboard for Grafana") struct DashboardTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/grafana/nephos-trends.json")

    private let text: String
    private let dashboard: JSON

    init() throws {
        text = try String(contentsOf: Self.file, encoding: .utf8)
        dashboard = try JSON(reading: Array(text.utf8))
    }

    private var urls: [String] {
        dashboard["panels"].elements.flatMap { $0["targets"].elements }.compactMap { $0["url"].string }
    }

    @Test("It uses only variables that it declares, and contains no token")
    func variables() throws {
        let declared = Set(dashboard["templating"]["list"].elements.compactMap { $0["name"].string })
        let used = Set(text.matches(of: /\$\{([a-z]+)/).map { String($0.output.1) })
        #expect(used.isSubset(of: declared) && !used.isEmpty)
        #expect(declared.isSuperset(of: ["host", "container", "environment"]))
        let forbidden = ["Bearer", "Authorization", "trends-", "ckAPIToken", "password"]
        #expect(forbidden.allSatisfy { !text.replacing("nephos-trends", with: "").contains($0) })
        let numbers = dashboard["panels"].elements.compactMap { $0["id"].int64 }
        #expect(numbers.count == Set(numbers).count && numbers.count == dashboard["panels"].elements.count)
    }

    @Test("A server answers each URL in it, and the response has the members that panels show")
    func addresses() async throws {
        let own = try await TrendCloud()
        let token = try await own.token()
        let values = [
            "${host}": "", "${container}": SmallCloud.container, "${environment}": "development",
            "${type:percentencode}": "Post", "${by}": "day", "${periods}": "30",
        ]
        #expect(urls.count >= 3)
        for target in dashboard["panels"].elements.flatMap({ $0["targets"].elements }) {
            let url = try #require(target["url"].string)
            #expect(url.hasPrefix("${host}/nephos/1/"))
            let path = values.reduce(url) { $0.replacing($1.key, with: $1.value) }
            let answer = try own.ask(path, TrendCloud.bearer(token))
            #expect(answer.status == 200, "\(path): \(answer.text)")
            let json = try JSON(reading: answer.body)
            let root = try #require(target["root_selector"].string)
            let name = root.firstMatch(of: /^\$each\((\w+),/).map { String($0.output.1) } ?? root
            #expect(json[name] != .absent, "\(name) in \(answer.text)")
            guard name == root else { continue }
            for column in target["columns"].elements {
                #expect(json[name][0][column["selector"].string ?? ""] != .absent, "\(column)")
            }
        }
    }
}
