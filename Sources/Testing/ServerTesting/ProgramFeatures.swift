import NephosConstraints
import NephosContent
package import NephosDelivery
import NephosFlags
import NephosMessages
import NephosPeople
package import NephosRunner
import NephosSettings
import NephosTrends
import RequestTesting

extension [Feature] {
    /// The features of the program `nephos`, so that tests in this process use the same ones.
    ///
    /// - Parameter post: Sends deliveries.
    package static func ofProgram(post: any Post = NoPost()) -> [Feature] {
        [.delivery { _ in post }, .settings, .constraints, .content, .flags, .messages, .trends, .people]
    }
}
