import Charts
import Foundation

// Writes every kind of chart, with realistic and with difficult data, into a folder: index.html, and each picture as a file.
//
//   nephos-gallery .build/gallery

@main
private struct Gallery {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("nephos-gallery FOLDER")
            exit(2)
        }
        let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for exhibit in Exhibit.all {
            for width in Chart.figureWidths {
                let svg = exhibit.chart.svg(id: exhibit.name, width: width)
                try write(svg, to: folder.appending(path: "\(exhibit.name)-\(width).svg"))
            }
        }
        for (name, sparkline) in Exhibit.sparklines {
            try write(sparkline.svg(id: name), to: folder.appending(path: "sparkline-\(name).svg"))
        }
        let index = folder.appending(path: "index.html")
        try write(page, to: index)
        print("\(Exhibit.all.count) charts and \(Exhibit.sparklines.count) sparklines: \(index.path)")
    }

    private static func write(_ text: String, to file: URL) throws {
        try Data(text.utf8).write(to: file)
    }

    /// As in a page of a server: one shared style, and no attribute that a strict policy would reject.
    private static var page: String {
        let figures = Exhibit.all.map { "<section>\n\($0.chart.figure(id: $0.name))</section>" }
        let rows = Exhibit.sparklines.map { name, sparkline in
            "<tr><th scope=\"row\">\(name)</th><td>\(sparkline.svg(id: "sparkline-\(name)", carriesStyle: false))</td></tr>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Charts</title>
            <style>
            :root { color-scheme: light dark }
            body { margin: 0 auto; font: 16px/1.5 system-ui, sans-serif; color: #1c1c1e; background: #fff }
            h1, .rows { margin: 1rem .5rem }
            section { margin: 0 0 2.5rem }
            summary { padding: 0 .5rem; font-size: 14px }
            @media (prefers-color-scheme: dark) { body { color: #e6e6e9; background: #151518 } }
            \(Chart.pageStyle)
            </style>
            <h1>Charts</h1>
            \(figures.joined(separator: "\n"))
            <div class="rows"><table class="nephos-table">
            <caption>Sparklines</caption>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            </html>

            """
    }
}
