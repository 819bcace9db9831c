/// What the metrics of every server count: a line of each for whoever reads them. Features describe their own.
enum MetricHelp {
    static let ofServer = [
        "nephos_buffered_bytes": "Bytes of request bodies and unsent answers in memory.",
        "nephos_buffered_bytes_max": "The limit of nephos_buffered_bytes.",
        "nephos_commit_group_size": "Requests that shared one commit of the storage.",
        "nephos_commits_total": "Requests whose changes were committed.",
        "nephos_connections": "Open connections.",
        "nephos_jobs_total": "Runs of background work, by job and outcome.",
        "nephos_mails_total": "Attempts to send mails, by outcome.",
        "nephos_open_tenants": "Environments of containers with open files.",
        "nephos_queries_bytes_examined": "Bytes of records and index entries that a query looked at.",
        "nephos_queries_comparisons": "Comparisons of values that a query made.",
        "nephos_queries_index_builds_total": "Index builds, by outcome.",
        "nephos_queries_index_waits_total": "Queries that waited for an index to be built.",
        "nephos_queries_rows_examined": "Rows that a query looked at.",
        "nephos_request_body_bytes_total": "Bytes of request bodies that were received.",
        "nephos_request_seconds": "Time from the first byte of a request to the last of its answer, by endpoint.",
        "nephos_requests_total": "Requests, by endpoint and status.",
        "nephos_response_bytes_total": "Bytes of answers that were sent.",
        "process_cpu_seconds_total": "Processor time of the server, user and system.",
        "process_resident_memory_bytes": "Resident memory of the server.",
    ]
}
