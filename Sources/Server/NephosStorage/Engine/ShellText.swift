extension String {
    /// The text as one word of a shell, for a path in a command that a message suggests.
    package var quotedForShell: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}
