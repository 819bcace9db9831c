@main struct Nephos { static func main() {} }
