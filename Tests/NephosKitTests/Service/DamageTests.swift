import NephosTesting
import Testing

@testable import NephosKit

/// Valid responses that were damaged at random, byte by byte and member by member: a program gets a result or a `CKError`.
///
/// `SEED=n` reproduces one, `ROUNDS=n` runs more.
@Suite struct DamageTests {
    @Test(arguments: Seeds.all(20)) func damageIsAResultOrAnError(seed: UInt64) async {
        var dice = SeededGenerator(seed: seed)
        for question in Question.all {
            for _ in 0..<8 {
                let body = dice.once(in: 2) ? damaged(question.good.bytes, &dice) : mixed(question, &dice).bytes
                let status = dice.once(in: 4) ? Int.random(in: 100..<600, using: &dice) : 200
                let outcome = await question.outcome(body, status: status)
                #expect(outcome.isFit, "\(question.name): \(outcome)")
            }
        }
    }

    @Test(arguments: Seeds.all(20)) func damageToTheAnswerOfWhoIsSignedInIsAResultOrAnError(seed: UInt64) async {
        var dice = SeededGenerator(seed: seed)
        let good: JSON = [
            "userRecordName": "_me", "nameComponents": ["givenName": "Ada", "familyName": "Lovelace", "nickname": nil],
        ]
        for question in Question.all {
            let body = damaged(good.bytes, &dice)
            let answer = question.good.description
            let transport = ScriptedTransport {
                $0.path == "users/caller" ? .answer(200, body) : .json(answer)
            }
            let outcome = await question.outcome(.test(transport))
            #expect(outcome.isFit, "\(question.name): \(outcome)")
        }
    }

    /// Changes, removes, duplicates and inserts some bytes.
    private func damaged(_ bytes: [UInt8], _ dice: inout SeededGenerator) -> [UInt8] {
        let marks = Array(#"{}[]",:0123456789eE+-.\ntfu "#.utf8) + [0, 0x0A, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
        var bytes = bytes
        for _ in 0...Int.random(in: 0...3, using: &dice) {
            let place = Int.random(in: 0...bytes.count, using: &dice)
            let end = min(bytes.count, place + Int.random(in: 0...12, using: &dice))
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes.insert(marks.randomElement(using: &dice) ?? 0, at: place)
            default: if place < bytes.count { bytes[place] = marks.randomElement(using: &dice) ?? 0 }
            }
        }
        return bytes
    }

    /// Replaces parts by those of other valid responses.
    private func mixed(_ question: Question, _ dice: inout SeededGenerator) -> JSON {
        var answer = question.good
        for _ in 0...Int.random(in: 0...2, using: &dice) {
            guard let place = answer.places.randomElement(using: &dice),
                let other = Question.all.randomElement(using: &dice)?.good,
                let source = other.places.randomElement(using: &dice)
            else { continue }
            answer[at: place] = dice.once(in: 8) ? .array([other[at: source], answer[at: place]]) : other[at: source]
        }
        return answer.isAbsent ? nil : answer
    }
}
