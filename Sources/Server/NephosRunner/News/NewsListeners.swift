import NephosStorage

/// The listeners on this server, and the known numbers of their topics: the state that ``NewsWatch`` guards with its lock.
struct NewsListeners: Sendable {
    typealias Wake = @Sendable (News) -> Void

    struct Listener: Sendable {
        let topics: Set<Topic>
        /// nil if the listener does not need to know when its admission may end.
        var basis: AdmissionBasis?
        let wake: Wake

        init(_ topics: Set<Topic>, _ basis: AdmissionBasis?, _ wake: @escaping Wake) {
            (self.topics, self.basis, self.wake) = (topics, basis, wake)
        }

        /// Whether the listener's credentials may have been revoked.
        mutating func mayBeRevoked(_ news: TenantNews?, _ ended: EndedSessions?) -> Bool {
            basis?.mayBeRevoked(news, ended) ?? false
        }
    }

    /// The listeners of one tenant.
    private struct Place {
        var listeners: [Int: Listener] = [:]
        /// The number of listeners of each topic.
        var interest: [Topic: Int] = [:]
        /// The last known number of each topic that has listeners: a new listener reads the topic after it has joined.
        var numbers: [Topic: Int64] = [:]

        /// Records numbers of topics that have listeners. - Returns: Those higher than the known ones.
        mutating func move(_ found: [Topic: Int64]) -> [Topic: Int64] {
            // A poll may have begun before a post of this process that is already known.
            let moved = found.filter { interest[$0.key] != nil && $0.value > numbers[$0.key] ?? 0 }
            numbers.merge(moved) { $1 }
            return moved
        }
    }

    private var places: [Tenant: Place] = [:]
    private var last = 0

    var count: Int { places.values.reduce(0) { $0 + $1.listeners.count } }

    /// The admissions of listeners that need to know when theirs may end.
    var basis: [Tenant: [AdmissionBasis]] { places.mapValues { $0.listeners.values.compactMap(\.basis) } }

    /// The topics to poll.
    var topics: [Tenant: Set<Topic>] { places.mapValues { Set($0.interest.keys) } }

    mutating func add(_ listener: Listener, of tenant: Tenant) -> Int {
        last += 1
        places[tenant, default: Place()].listeners[last] = listener
        for topic in listener.topics { places[tenant]?.interest[topic, default: 0] += 1 }
        return last
    }

    mutating func remove(_ number: Int, of tenant: Tenant) -> Listener? {
        guard let listener = places[tenant]?.listeners.removeValue(forKey: number) else { return nil }
        for topic in listener.topics {
            places[tenant]?.interest[topic, default: 1] -= 1
            guard places[tenant]?.interest[topic] == 0 else { continue }
            places[tenant]?.interest[topic] = nil
            places[tenant]?.numbers[topic] = nil
        }
        if places[tenant]?.listeners.isEmpty == true { places[tenant] = nil }
        return listener
    }

    mutating func note(_ basis: AdmissionBasis, _ number: Int, of tenant: Tenant) {
        places[tenant]?.listeners[number]?.basis = basis
    }

    // MARK: Notifying

    /// Applies what this process has posted.
    ///
    /// - Returns: The listeners to notify, and of what.
    mutating func take(_ numbers: [Topic: Int64], of tenant: Tenant) -> [(Wake, News)] {
        guard var place = places.removeValue(forKey: tenant) else { return [] }
        defer { places[tenant] = place }
        let moved = place.move(numbers)
        guard !moved.isEmpty else { return [] }
        return place.listeners.values.compactMap { listener in
            let own = moved.filter { listener.topics.contains($0.key) }
            return own.isEmpty ? nil : (listener.wake, .posted(own))
        }
    }

    /// Applies the results of a poll of all topics that have listeners.
    ///
    /// - Parameters:
    ///   - tenants: The tenants and topics that were polled. Others may have been added since.
    ///   - ended: The result of ``AdmissionBasis/asksWhichEnded(_:)``.
    mutating func take(
        _ news: [Tenant: TenantNews], lookedAt tenants: [Tenant: Set<Topic>], ended: [Tenant: EndedSessions]
    ) -> [(Wake, News)] {
        tenants.keys.flatMap { tenant in
            let (news, ended) = (news[tenant], ended[tenant])
            let listeners = places[tenant]?.listeners.keys.filter { number in
                places[tenant]?.listeners[number]?.mayBeRevoked(news, ended) ?? false
            }
            return take(news?.numbers ?? [:], of: tenant)
                + (listeners ?? []).compactMap { number in
                    places[tenant]?.listeners[number].map { ($0.wake, .catalog(news?.catalogVersion)) }
                }
        }
    }

    func notifyAll(_ news: News) -> [(Wake, News)] {
        places.values.flatMap(\.listeners.values).map { ($0.wake, news) }
    }
}
