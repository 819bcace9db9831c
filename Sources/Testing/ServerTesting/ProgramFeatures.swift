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
    /// Those of the program `nephos`, so that what is tested in this process has what it has.
    ///
    /// - Parameter post: How deliveries leave.
    package static func ofProgram(post: any Post = NoPost()) -> [Feature] {
        [.delivery { _ in post }, .settings, .constraints, .content, .flags, .messages, .trends, .people]
    }
}
