import NephosRunner

extension UseCaseGroup {
    static let flags = UseCaseGroup(
        "flag", abstract: "Create, switch, target and maintain feature flags.",
        discussion: "A flag is a record of the public database (docs/flags.md).",
        [
            .createFlag, .listFlags, .showFlag, .flagOn, .flagOff, .deleteFlag, .rollOut, .flagSchedule, .flagHistory,
            .flagRevert, .staleFlags, .lintFlags, .explainFlag, .importFlags,
            .generateFlags, .checkFlags, .diffFlags, .copyFlags,
        ], groups: [.flagRules])
}
