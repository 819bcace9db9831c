import ArgumentParser
import NephosRunner

/// Makes sure that something which cannot be undone is meant: on a terminal by a question, in a script by `--yes`.
struct Confirmation: ParsableArguments {
    @Flag(name: [.customShort("y"), .customLong("yes")], help: "Do not ask.")
    var yes = false

    /// - Parameter what: What would happen, as a sentence: `This deletes record a of iCloud.x.`
    /// - Throws: ``Failure`` when the answer is no, and where nobody can answer.
    func require(_ what: String) throws(Failure) {
        if yes { return }
        guard Terminal.isAnswered else {
            throw Failure("\(what) Say --yes to do it without a question.", kind: .wrongUsage)
        }
        let answer = Terminal.ask("\(what) Go on? [y/N] ") ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else { throw Failure("Nothing was done.") }
    }
}
