extension UseCaseCall {
    /// What administers the store of the call, by its clock and its chance.
    package var administration: Administration {
        get throws {
            Administration(
                engine: try engine, inputs: Inputs(author: actor.author, now: now, randomBytes: randomBytes),
                features: features)
        }
    }
}
