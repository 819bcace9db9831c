extension UseCaseCall {
    /// Administration of the call's store, with its clock and random bytes.
    package var administration: Administration {
        get throws {
            Administration(
                engine: try engine, inputs: Inputs(author: actor.author, now: now, randomBytes: randomBytes),
                features: features)
        }
    }
}
