#ifdef __linux__
#include <stdint.h>
// The system's header declares this only for C programs that request all of its extensions.
int sync_file_range(int file, int64_t offset, int64_t count, unsigned int flags);
static const unsigned int sync_file_range_write = 2;
#endif
