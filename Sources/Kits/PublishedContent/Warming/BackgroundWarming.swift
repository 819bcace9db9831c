// Written from Apple's documentation and not compiled where this package is built (docs/published-content.md).
#if os(iOS) || os(tvOS) || os(visionOS)
    import BackgroundTasks
    import Foundation

    extension PublishedContent {
        /// Registers a background task that prefetches content. Call it before the app has finished launching, with an identifier
        /// that is among `BGTaskSchedulerPermittedIdentifiers` of its Info.plist, and ``scheduleWarming(_:as:)`` when it goes to
        /// the background.
        ///
        /// - Returns: Whether the system takes the identifier.
        public func registerWarming(_ plan: WarmPlan, as identifier: String) -> Bool {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                nonisolated(unsafe) let task = task
                let work = Task {
                    let result = await self.warmOnce(plan)
                    try? self.scheduleWarming(plan, as: identifier, after: result)
                    task.setTaskCompleted(success: result.warmingFault == nil)
                }
                task.expirationHandler = { work.cancel() }
            }
        }

        /// Schedules the background task for when it is due. The system decides when it actually runs.
        public func scheduleWarming(
            _ plan: WarmPlan, as identifier: String, after result: Result<PrefetchReport, ContentFault>? = nil
        ) throws {
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            let pause = result.map { self.pause(plan, after: $0, 1) } ?? plan.every
            request.earliestBeginDate = clock.now().addingTimeInterval(pause / .seconds(1))
            try BGTaskScheduler.shared.submit(request)
        }
    }
#endif
