// Makes a process see a full disk, for the tests of a full disk:
//
//   LD_PRELOAD=full-disk.so
//   FULL_DISK_FLAG=/path/of/a/file       as long as this file exists, the disk on which it is stored is full
//   FULL_DISK_COPIES=1                   optional: overwriting needs space, too, as on a copy-on-write disk
//
// Refused calls fail with ENOSPC, and write nothing. Standard streams, anything that is not a regular file, and files
// on other disks, including shared memory, are not affected.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// The C library's own function with this name, found once.
#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

// Whether a file cannot grow up to this end; with FULL_DISK_COPIES, whether it cannot even be overwritten.
static int is_refused(int descriptor, off_t end) {
    struct stat flag, file;
    const char *path = getenv("FULL_DISK_FLAG");
    int saved = errno;
    int refused = path && descriptor > STDERR_FILENO && stat(path, &flag) == 0 && fstat(descriptor, &file) == 0
        && S_ISREG(file.st_mode) && file.st_dev == flag.st_dev
        && (end > file.st_size || getenv("FULL_DISK_COPIES"));
    errno = refused ? ENOSPC : saved;
    return refused;
}

// Where a write without an explicit offset ends; greater than any size if the file is only appended to.
static off_t end_of(int descriptor, size_t count) {
    int saved = errno, flags = fcntl(descriptor, F_GETFL);
    off_t at = lseek(descriptor, 0, SEEK_CUR);
    errno = saved;
    if (flags >= 0 && flags & O_APPEND) return INT64_MAX;
    return at < 0 ? 0 : at + (off_t)count;
}

static size_t size_of(const struct iovec *pieces, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += pieces[i].iov_len;
    return size;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    return is_refused(descriptor, end_of(descriptor, count)) ? -1 : real(descriptor, bytes, count);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    return is_refused(descriptor, end_of(descriptor, size_of(pieces, count))) ? -1 : real(descriptor, pieces, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    return is_refused(descriptor, at + (off_t)count) ? -1 : real(descriptor, bytes, count, at);
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t at) {
    REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
    return is_refused(descriptor, at + (off_t)size_of(pieces, count)) ? -1 : real(descriptor, pieces, count, at);
}

int ftruncate(int descriptor, off_t size) {
    struct stat file;
    REAL(int, ftruncate, int, off_t);
    int grows = fstat(descriptor, &file) == 0 && size > file.st_size;
    return grows && is_refused(descriptor, size) ? -1 : real(descriptor, size);
}

int fallocate(int descriptor, int mode, off_t at, off_t count) {
    REAL(int, fallocate, int, int, off_t, off_t);
    return is_refused(descriptor, at + count) ? -1 : real(descriptor, mode, at, count);
}

// This function returns its error.
int posix_fallocate(int descriptor, off_t at, off_t count) {
    REAL(int, posix_fallocate, int, off_t, off_t);
    return is_refused(descriptor, at + count) ? ENOSPC : real(descriptor, at, count);
}

// On 64-bit systems, the same functions under the names that programs with large files use.
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t at) {
    return pwrite(descriptor, bytes, count, at);
}

ssize_t pwritev64(int descriptor, const struct iovec *pieces, int count, off_t at) {
    return pwritev(descriptor, pieces, count, at);
}

int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fallocate64(int descriptor, int mode, off_t at, off_t count) { return fallocate(descriptor, mode, at, count); }

int posix_fallocate64(int descriptor, off_t at, off_t count) { return posix_fallocate(descriptor, at, count); }
