import ArgumentParser
import NephosRunner

/// The commands of a program, numbered in the order of its use cases, and a type for each number.
///
/// The parser identifies commands by their types and creates their values itself, so a command finds its use case through the
/// number in its type, and this tree of the running program.
struct CommandTree: Sendable {
    enum Node: Sendable {
        /// With the numbers of its children.
        case group(UseCaseGroup, [Int])
        case useCase(UseCase)
    }

    private var nodes: [Node] = []
    private var top: [Int] = []

    /// The tree of the running program.
    @TaskLocal static var current = CommandTree([])

    init(_ groups: [UseCaseGroup]) {
        for group in groups { top.append(add(group)) }
    }

    private mutating func add(_ group: UseCaseGroup) -> Int {
        if let single = group.single { return add(.useCase(single)) }
        let useCases = group.useCases.map { add(.useCase($0)) }
        return add(.group(group, useCases + group.groups.map { add($0) }))
    }

    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    subscript(number: Int) -> Node { nodes[number] }

    /// The top-level commands.
    var commands: [any ParsableCommand.Type] { top.map(Self.command) }

    static func command(_ number: Int) -> any ParsableCommand.Type { type(of: number).command }

    private static func type(of number: Int) -> any CommandNumber.Type {
        guard number > 0 else { return Zero.self }
        return type(of: number / 2).twice(plusOne: number % 2 == 1)
    }
}

/// A number as a type, by its binary digits, so that types of large numbers are not deeply nested.
protocol CommandNumber {
    static var value: Int { get }
}

extension CommandNumber {
    fileprivate static var command: any ParsableCommand.Type { DerivedCommand<Self>.self }

    fileprivate static func twice(plusOne: Bool) -> any CommandNumber.Type {
        plusOne ? TwicePlusOne<Self>.self : Twice<Self>.self
    }
}

private enum Zero: CommandNumber {
    static var value: Int { 0 }
}

private enum Twice<Half: CommandNumber>: CommandNumber {
    static var value: Int { 2 * Half.value }
}

private enum TwicePlusOne<Half: CommandNumber>: CommandNumber {
    static var value: Int { 2 * Half.value + 1 }
}
