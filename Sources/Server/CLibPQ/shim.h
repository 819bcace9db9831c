// libpq, PostgreSQL's own client library.
//
// Debian installs its header in a separate folder, which only pkg-config knows. If there is no libpq at all, and the
// trait Postgres is off, NephosPostgres still compiles with the declarations below; nothing links libpq then. They are
// only those that NephosPostgres uses: scripts/lint fails if one is missing.

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct PQconninfoOption PQconninfoOption;
typedef unsigned int Oid;

typedef enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 } ConnStatusType;
typedef enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PGRES_PIPELINE_ABORTED = 11 } ExecStatusType;
typedef enum { PQTRANS_IDLE = 0 } PGTransactionStatusType;

PQconninfoOption *PQconninfoParse(const char *text, char **message);
void PQconninfoFree(PQconninfoOption *options);
PGconn *PQconnectdbParams(const char *const *keys, const char *const *values, int expandsName);
void PQfinish(PGconn *connection);
ConnStatusType PQstatus(const PGconn *connection);
PGTransactionStatusType PQtransactionStatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);

PGresult *PQexec(PGconn *connection, const char *sql);
typedef void (*PQnoticeReceiver)(void *context, const PGresult *notice);
PQnoticeReceiver PQsetNoticeReceiver(PGconn *connection, PQnoticeReceiver receiver, void *context);
int PQenterPipelineMode(PGconn *connection);
int PQpipelineSync(PGconn *connection);
int PQsendPrepare(PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
int PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
int PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);

PGresult *PQgetResult(PGconn *connection);
ExecStatusType PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
char *PQresultErrorMessage(const PGresult *result);
int PQntuples(const PGresult *result);
char *PQcmdTuples(PGresult *result);
int PQgetisnull(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
void PQclear(PGresult *result);

typedef struct pgNotify {
    char *relname;
    int be_pid;
    char *extra;
    struct pgNotify *next;
} PGnotify;
int PQsocket(const PGconn *connection);
int PQconsumeInput(PGconn *connection);
PGnotify *PQnotifies(PGconn *connection);
void PQfreemem(void *memory);

#endif
