import NephosRunner
import NephosStorage

/// Use cases of a test's own program, with inputs of every kind.
enum SampleUseCases {
    enum Color: String, InputWord, CaseIterable { case red, green }

    static let all = [
        UseCaseGroup("sample", abstract: "Samples.", [plain, several, range, talk]), UseCaseGroup(exclusively),
    ]

    /// An argument, an optional argument, options, and a flag with a short name.
    static let plain = UseCase(
        "sample plain", .reads, store: .none, abstract: "Print what was typed.",
        .tenant, Input<String?>.argument("note", help: "A note."),
        Input<String>.option("title", help: "A title."), .option("count", default: 3, help: "A number."),
        Input<Color?>.option("color", valueName: "paint", help: "A color."), .yes
    ) { _, tenant, note, title, count, color, isSure in
        .text("\(tenant) \(note ?? "-") \(title) \(count) \(color?.rawValue ?? "-") \(isSure)")
    }

    static let several = UseCase(
        "sample several", .reads, store: .none, abstract: "Print lists.",
        Input<[Int]>.argument("numbers", help: "Numbers."), Input<[String]>.option("tag", help: "One at a time."),
        Input<[String]>.option("words", takesSeveral: true, help: "Several at a time.")
    ) { _, numbers, tags, words in
        .text("\(numbers) \(tags) \(words)")
    }

    /// Two inputs that must match each other, and one after them.
    static let range = UseCase(
        "sample range", .reads, store: .none, abstract: "Print a range.",
        Input(
            .option("from", default: 0, help: "First."),
            Input<Int>.option("to", help: "Last.").refusing("The end is 9 at most.") { $0 <= 9 }
        ) { first, last throws(WrongInput) in
            guard first <= last else { throw WrongInput("The end is before the beginning.") }
            return first...last
        },
        Input<String>.argument("name", help: "A name.")
    ) { _, range, name in
        .text("\(name): \(range.count)")
    }

    /// Uses every kind of output and prompt.
    static let talk = UseCase(
        "sample talk", .destroys, store: .none, abstract: "Talk.",
        Input<InputFile?>.argument("file", help: "A file."), .yes
    ) { call, file, isSure in
        try call.confirm("This talks.", unless: isSure)
        call.note("Next: \(call.command("sample plain"))")
        try call.show(.text("first"))
        let contents = String(decoding: try call.contents(ofFileOrInput: file), as: UTF8.self)
        return .text(contents).then(.table(["a", "b"], [["1", "2"]])).then(.table(["c"], [["3"]]))
            .then(.table(["d"], [], whenEmpty: "No d.")).failing("It is over.")
    }

    static let exclusively = UseCase(
        "alone", .changes, store: .existingOrNew, abstract: "Print how many containers there are."
    ) {
        call in
        .text("\(try call.engine.containers().count) at \(call.isDatabase ? "a database" : "a folder")")
    }
}
