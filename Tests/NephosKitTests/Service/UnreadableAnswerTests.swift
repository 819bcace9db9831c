import NephosTesting
import Testing

@testable import NephosKit

/// Invalid responses with a success status: an unreadable response is an error, and for a change one that leaves open whether it
/// was made.
@Suite struct UnreadableAnswerTests {
    @Test(arguments: Question.all) func goodAnswersAreResults(_ question: Question) async {
        #expect(await question.goodOutcome.isResult)
    }

    @Test(arguments: Question.all) func whatIsNoJSONIsAnError(_ question: Question) async {
        let bodies = [
            "", " ", "<!DOCTYPE html><html><body>Please sign in to this network</body></html>", "null", "true", "17",
            #""records""#, "[]", "[{}]", "{}", #"{"records":null,"zones":null,"subscriptions":null}"#, "{", "}",
            "\u{FEFF}{}", #"{"records":[],"records":[]}"#, "{\"records\":[\u{0}]}",
            String(repeating: "[", count: 100_000),
            String(repeating: #"{"a":"#, count: 100_000),
        ]
        for body in bodies {
            #expect(await question.outcome(body.utf8) == question.unreadable, "\(body.prefix(80))")
        }
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0x1F, 0x8B, 8, 0], Array(question.good.bytes) + [0xFF]] {
            #expect(await question.outcome(bytes) == question.unreadable, "\(bytes.prefix(8))")
        }
    }

    @Test(arguments: Question.all) func anAnswerThatIsCutIsAnErrorWhereverItIsCut(_ question: Question) async {
        let good = question.good.bytes
        let isInWord = good.map { "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.contains($0) }
        for length in good.indices {
            // Within a word only after its first letters, and before its last one: the places between them are all alike.
            if length > 2, length + 1 < good.count, isInWord[length - 3...length + 1].allSatisfy({ $0 }) { continue }
            let outcome = await question.outcome(good[..<length])
            #expect(outcome == question.unreadable, "cut at \(length)")
        }
    }

    @Test(arguments: Question.all) func membersThatNobodyKnowsChangeNothing(_ question: Question) async {
        let good = await question.goodOutcome
        // The names of fields are the app's.
        for place in question.good.places where question.good[at: place].isObject && place.last != .member("fields") {
            var answer = question.good
            answer[at: place] = .object(
                [JSON.Member("new", ["deep": [1, nil, "x"]])] + question.good[at: place].members
                    + [JSON.Member("newer", 1e300)])
            #expect(await question.outcome(answer.bytes) == good, "at \(place)")
        }
    }

    @Test(arguments: Question.all) func aMemberOfAnotherTypeIsAnErrorOrMeansNothing(_ question: Question) async {
        let others: [JSON] = [
            nil, true, -1.5, "x", [], [:], [[]], ["a": 1], .number("1e999"),
        ]
        for place in question.good.places {
            for other in others {
                var answer = question.good
                answer[at: place] = other
                let outcome = await question.outcome(answer.bytes)
                #expect(outcome.isFit, "\(other) at \(place): \(outcome)")
            }
        }
    }

    @Test(arguments: Question.all) func aMissingMemberIsAnErrorOrMeansNothing(_ question: Question) async {
        for place in question.good.places.dropFirst() {
            var answer = question.good
            answer[at: place] = .absent
            let outcome = await question.outcome(answer.bytes)
            #expect(outcome.isFit, "without \(place): \(outcome)")
        }
    }

    @Test(arguments: ["null", #"{"givenName":null,"familyName":"Lovelace"}"#, "{}"])
    func nullMeansAbsent(components: String) async throws {
        let container = CKContainer.test(
            ScriptedTransport { _ in .json(#"{"userRecordName":"_me","nameComponents":\#(components)}"#) })
        #expect(try await container.userRecordID().recordName == "_me")
    }
}
