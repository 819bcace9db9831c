-- The line that every script prints at its end, for nephos-bench:
-- RESULT <requests> <duration in µs> <failures> <50th percentile in µs> <99th percentile in µs>
-- A failure is a response other than 2xx, or no response.
function done(summary, latency, requests)
    local errors = summary.errors
    local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, failures,
        latency:percentile(50), latency:percentile(99)))
end
