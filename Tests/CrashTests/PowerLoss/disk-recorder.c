// Records the calls of a process that change the disk, so that a test can rebuild the disk as it would be after a power
// cut.
//
//   LD_PRELOAD=disk-recorder.so
//   DISK_RECORDER_ROOT=/path/of/data      only files below it are recorded
//   DISK_RECORDER_LOG=/path/of/log        one entry per call, of all processes that share the variable
//   DISK_RECORDER_KILL_AT=n               optional: kills the process by SIGKILL before its n-th change, counted from 1
//
// The call is made first and then recorded, both under one lock that all processes share, so that the order in the log
// is the order on the disk. A sync has two entries: what was written before it began is durable after it has ended.
// Entries carry CLOCK_MONOTONIC, the clock with which clients time acknowledgements.
//
// It cannot see stores through a shared writable mapping. It records that such a mapping was created, and the test
// refuses all such files except SQLite's -shm, which is rebuilt after a crash. To find out whether anything else was
// missed, the test replays the whole log without losses and compares the result with the real folder.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
    ENTRY_CREATE = 1, // path, file
    ENTRY_WRITE,      // file, offset, data
    ENTRY_TRUNCATE,   // file, offset: the new size
    ENTRY_SYNC_BEGIN, // file, offset: the number of the sync
    ENTRY_SYNC_END,   // file, offset: the number of the sync
    ENTRY_RENAME,     // path; data: the new path
    ENTRY_UNLINK,     // path
    ENTRY_DIRECTORY,  // path, file
    ENTRY_MAPPED,     // file
    ENTRY_LINK,       // path, file; data: the second path
};

// Little-endian, followed by the path and the data.
struct entry {
    uint32_t kind;
    uint32_t path_bytes;
    uint64_t data_bytes;
    uint64_t nanoseconds;
    uint64_t file; // inode number
    uint64_t offset;
};

#define DESCRIPTORS_MAX 65536

static char root[PATH_MAX];
static size_t root_bytes;
static int log_descriptor = -1;
static uint64_t kill_at;
static uint64_t changes;
static uint64_t syncs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t inode_of[DESCRIPTORS_MAX]; // 0: not a recorded file

// The C library's own functions, found once.
static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_posix_fallocate)(int, off_t, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_renameat)(int, const char *, int, const char *);
static int (*real_renameat2)(int, const char *, int, const char *, unsigned);
static int (*real_unlink)(const char *);
static int (*real_unlinkat)(int, const char *, int);
static int (*real_rmdir)(const char *);
static int (*real_mkdirat)(int, const char *, mode_t);
static int (*real_linkat)(int, const char *, int, const char *, int);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);

static void find_real_functions(void) {
    if (real_mmap) return;
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)
    FIND(open); FIND(openat); FIND(close); FIND(write); FIND(writev); FIND(pwrite); FIND(ftruncate);
    FIND(posix_fallocate); FIND(fsync); FIND(fdatasync); FIND(rename); FIND(renameat); FIND(renameat2); FIND(unlink);
    FIND(unlinkat); FIND(rmdir); FIND(mkdirat); FIND(linkat); FIND(mmap);
#undef FIND
}

static void fail(const char *why) {
    (void)!real_write(STDERR_FILENO, "disk-recorder: ", 15);
    (void)!real_write(STDERR_FILENO, why, strlen(why));
    (void)!real_write(STDERR_FILENO, "\n", 1);
    _exit(99);
}

// --- the log ---

static void enter(void) {
    pthread_mutex_lock(&lock);
    if (log_descriptor >= 0) while (flock(log_descriptor, LOCK_EX) != 0 && errno == EINTR) {}
}

static void leave(void) {
    int saved = errno;
    if (log_descriptor >= 0) flock(log_descriptor, LOCK_UN);
    pthread_mutex_unlock(&lock);
    errno = saved;
}

// Called with the lock before every call that changes something.
static void about_to_change(void) {
    changes += 1;
    if (changes == kill_at) kill(getpid(), SIGKILL);
}

static void record(enum kind kind, const char *path, uint64_t file, uint64_t offset, const struct iovec *data,
                   int pieces, size_t bytes) {
    if (log_descriptor < 0) return;
    int saved = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct entry entry = {
        .kind = kind, .path_bytes = path ? strlen(path) : 0, .data_bytes = bytes,
        .nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, .file = file, .offset = offset,
    };
    struct iovec all[2 + pieces];
    all[0] = (struct iovec){&entry, sizeof entry};
    all[1] = (struct iovec){(void *)path, entry.path_bytes};
    size_t left = bytes, total = sizeof entry + entry.path_bytes + bytes;
    for (int i = 0; i < pieces; i++) {
        size_t take = data[i].iov_len < left ? data[i].iov_len : left;
        all[2 + i] = (struct iovec){data[i].iov_base, take};
        left -= take;
    }
    if (real_writev(log_descriptor, all, 2 + pieces) != (ssize_t)total) fail("the log is full");
    errno = saved;
}

static void record_path(enum kind kind, const char *path, uint64_t file) { record(kind, path, file, 0, NULL, 0, 0); }

// --- which files ---

static int below_root(const char *path) {
    return root_bytes && strncmp(path, root, root_bytes) == 0 && (path[root_bytes] == '/' || path[root_bytes] == 0);
}

// The absolute path of something that need not exist, with its folder's links resolved. Returns 0 if it is not below the
// root.
static int resolve(int folder, const char *path, char out[PATH_MAX]) {
    if (!root_bytes) return 0;
    char full[PATH_MAX] = "";
    if (path[0] != '/' && folder != AT_FDCWD) {
        char link[64] = "/proc/self/fd/", digits[16];
        int n = 0;
        do digits[n++] = '0' + folder % 10; while (folder /= 10);
        for (size_t at = strlen(link); n > 0;) link[at++] = digits[--n], link[at] = 0;
        ssize_t length = readlink(link, full, sizeof full - 2);
        if (length <= 0) return 0;
        full[length] = '/', full[length + 1] = 0;
    }
    if (strlen(full) + strlen(path) >= PATH_MAX) return 0;
    strcat(full, path);
    char *slash = strrchr(full, '/');
    const char *name = slash ? slash + 1 : full;
    char parent[PATH_MAX], resolved[PATH_MAX];
    if (!slash) strcpy(parent, ".");
    else if (slash == full) strcpy(parent, "/");
    else memcpy(parent, full, slash - full), parent[slash - full] = 0;
    if (!realpath(parent, resolved) || strlen(resolved) + strlen(name) + 2 > PATH_MAX) return 0;
    strcpy(out, resolved);
    if (*name) strcat(out, "/"), strcat(out, name);
    return below_root(out);
}

static uint64_t inode_of_path(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_ino : 0;
}

// The inode number of a recorded file; 0 for any other. The C library closes some descriptors itself, such as those of
// folders that it lists, so the number can meanwhile be that of a socket.
static uint64_t tracked(int descriptor) {
    uint64_t inode = descriptor >= 0 && descriptor < DESCRIPTORS_MAX ? atomic_load(&inode_of[descriptor]) : 0;
    struct stat status;
    if (!inode || (fstat(descriptor, &status) == 0 && status.st_ino == inode)) return inode;
    atomic_store(&inode_of[descriptor], 0);
    return 0;
}

static void track(int descriptor) {
    struct stat status;
    if (descriptor >= DESCRIPTORS_MAX) fail("too many descriptors");
    if (fstat(descriptor, &status) != 0) fail("fstat failed on an open file");
    atomic_store(&inode_of[descriptor], status.st_ino);
}

__attribute__((constructor)) static void start(void) {
    find_real_functions();
    const char *wanted = getenv("DISK_RECORDER_ROOT"), *log = getenv("DISK_RECORDER_LOG");
    const char *kill = getenv("DISK_RECORDER_KILL_AT");
    if (!wanted || !realpath(wanted, root)) return;
    root_bytes = strlen(root);
    if (kill) kill_at = strtoull(kill, NULL, 10);
    if (!log) return;
    int opened = real_open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    // High enough for programs that rely on the lowest free descriptor.
    log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 900);
    real_close(opened);
    if (log_descriptor < 0) fail("the log cannot be opened");
    enter();
    record_path(ENTRY_DIRECTORY, root, inode_of_path(root));
    leave();
}

// --- files ---

static int opened(int folder, const char *path, int flags, mode_t mode) {
    find_real_functions();
    char full[PATH_MAX];
    if (!resolve(folder, path, full)) return real_openat(folder, path, flags, mode);
    int writes = (flags & O_CREAT) || (flags & O_TRUNC);
    enter();
    int existed = access(full, F_OK) == 0;
    if (writes && (!existed || (flags & O_TRUNC))) about_to_change();
    int descriptor = real_openat(folder, path, flags, mode);
    if (descriptor >= 0) {
        track(descriptor);
        struct stat status;
        if (!existed && fstat(descriptor, &status) != 0) fail("a new file has no mode");
        if (!existed) record(ENTRY_CREATE, full, tracked(descriptor), status.st_mode & 07777, NULL, 0, 0);
        else if (flags & O_TRUNC) record(ENTRY_TRUNCATE, NULL, tracked(descriptor), 0, NULL, 0, 0);
    }
    leave();
    return descriptor;
}

#define MODE_ARGUMENT(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, int); va_end(rest); }

int open(const char *path, int flags, ...) { MODE_ARGUMENT(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_ARGUMENT(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE_ARGUMENT(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE_ARGUMENT(flags) return opened(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
    find_real_functions();
    // The recorder's own descriptor stays open if the program closes all descriptors that it does not know.
    if (descriptor == log_descriptor && log_descriptor >= 0) return 0;
    if (tracked(descriptor)) atomic_store(&inode_of[descriptor], 0);
    return real_close(descriptor);
}

// --- bytes ---

static void record_bytes(int descriptor, const struct iovec *data, int pieces, off_t offset, ssize_t written) {
    if (written > 0) record(ENTRY_WRITE, NULL, tracked(descriptor), offset, data, pieces, written);
}

ssize_t writev(int descriptor, const struct iovec *data, int pieces) {
    find_real_functions();
    if (!tracked(descriptor)) return real_writev(descriptor, data, pieces);
    enter();
    about_to_change();
    ssize_t written = real_writev(descriptor, data, pieces);
    record_bytes(descriptor, data, pieces, lseek(descriptor, 0, SEEK_CUR) - written, written);
    leave();
    return written;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    find_real_functions();
    if (!tracked(descriptor)) return real_write(descriptor, bytes, count);
    return writev(descriptor, &(struct iovec){(void *)bytes, count}, 1);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    find_real_functions();
    if (!tracked(descriptor)) return real_pwrite(descriptor, bytes, count, offset);
    enter();
    about_to_change();
    ssize_t written = real_pwrite(descriptor, bytes, count, offset);
    record_bytes(descriptor, &(struct iovec){(void *)bytes, count}, 1, offset, written);
    leave();
    return written;
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t size) {
    find_real_functions();
    if (!tracked(descriptor)) return real_ftruncate(descriptor, size);
    enter();
    about_to_change();
    int result = real_ftruncate(descriptor, size);
    if (result == 0) record(ENTRY_TRUNCATE, NULL, tracked(descriptor), size, NULL, 0, 0);
    leave();
    return result;
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int posix_fallocate(int descriptor, off_t offset, off_t count) {
    find_real_functions();
    if (!tracked(descriptor)) return real_posix_fallocate(descriptor, offset, count);
    enter();
    about_to_change();
    struct stat before;
    int result = fstat(descriptor, &before) == 0 ? real_posix_fallocate(descriptor, offset, count) : errno;
    if (result == 0 && offset + count > before.st_size)
        record(ENTRY_TRUNCATE, NULL, tracked(descriptor), offset + count, NULL, 0, 0);
    leave();
    return result;
}
int posix_fallocate64(int descriptor, off_t offset, off_t count) { return posix_fallocate(descriptor, offset, count); }

// --- syncs ---

static int synced(int descriptor, int (*sync)(int)) {
    if (!tracked(descriptor)) return sync(descriptor);
    enter();
    about_to_change();
    uint64_t file = tracked(descriptor), number = (uint64_t)getpid() << 32 | ++syncs;
    record(ENTRY_SYNC_BEGIN, NULL, file, number, NULL, 0, 0);
    leave();
    int result = sync(descriptor);
    enter();
    if (result == 0) record(ENTRY_SYNC_END, NULL, file, number, NULL, 0, 0);
    leave();
    return result;
}

int fsync(int descriptor) { find_real_functions(); return synced(descriptor, real_fsync); }
int fdatasync(int descriptor) { find_real_functions(); return synced(descriptor, real_fdatasync); }

void *mmap(void *where, size_t count, int access, int flags, int descriptor, off_t offset) {
    find_real_functions();
    void *result = real_mmap(where, count, access, flags, descriptor, offset);
    if (result != MAP_FAILED && tracked(descriptor) && (flags & MAP_SHARED) && (access & PROT_WRITE)) {
        enter();
        record(ENTRY_MAPPED, NULL, tracked(descriptor), offset, NULL, 0, 0);
        leave();
    }
    return result;
}
void *mmap64(void *where, size_t count, int access, int flags, int descriptor, off_t offset) {
    return mmap(where, count, access, flags, descriptor, offset);
}

// --- names ---

static int renamed(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char old[PATH_MAX], new[PATH_MAX];
    // What does not exist cannot be renamed, and its folder need not exist either.
    if (faccessat(from_folder, from, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return real_renameat2(from_folder, from, to_folder, to, flags);
    int was_inside = resolve(from_folder, from, old), is_inside = resolve(to_folder, to, new);
    if (!was_inside && !is_inside) return real_renameat2(from_folder, from, to_folder, to, flags);
    if (!was_inside || !is_inside || flags & RENAME_EXCHANGE) fail("a rename that the recorder does not know");
    enter();
    about_to_change();
    int result = real_renameat2(from_folder, from, to_folder, to, flags);
    if (result == 0) record(ENTRY_RENAME, old, 0, 0, &(struct iovec){new, strlen(new)}, 1, strlen(new));
    leave();
    return result;
}

int rename(const char *from, const char *to) {
    find_real_functions();
    return renamed(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    find_real_functions();
    return renamed(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    find_real_functions();
    return renamed(from_folder, from, to_folder, to, flags);
}

static int linked(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    find_real_functions();
    char old[PATH_MAX], new[PATH_MAX];
    int was_inside = resolve(from_folder, from, old), is_inside = resolve(to_folder, to, new);
    if (!was_inside && !is_inside) return real_linkat(from_folder, from, to_folder, to, flags);
    enter();
    about_to_change();
    int result = real_linkat(from_folder, from, to_folder, to, flags);
    // If a second name cannot be created, its folder need not exist.
    if (result == 0 && (!was_inside || !is_inside || flags)) fail("a hard link that the recorder does not know");
    if (result == 0) record(ENTRY_LINK, old, inode_of_path(new), 0, &(struct iovec){new, strlen(new)}, 1, strlen(new));
    leave();
    return result;
}

int link(const char *from, const char *to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return linked(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
    find_real_functions();
    char full[PATH_MAX];
    if (!resolve(folder, path, full)) return real_unlinkat(folder, path, flags);
    enter();
    about_to_change();
    int result = real_unlinkat(folder, path, flags);
    if (result == 0) record_path(ENTRY_UNLINK, full, 0);
    leave();
    return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    int result = unlink(path);
    return result != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : result;
}

int mkdirat(int folder, const char *path, mode_t mode) {
    find_real_functions();
    char full[PATH_MAX], plain[PATH_MAX];
    size_t length = strlen(path);
    if (length >= PATH_MAX) return real_mkdirat(folder, path, mode);
    strcpy(plain, path);
    while (length > 1 && plain[length - 1] == '/') plain[--length] = 0;
    if (!resolve(folder, plain, full)) return real_mkdirat(folder, path, mode);
    enter();
    about_to_change();
    int result = real_mkdirat(folder, plain, mode);
    if (result == 0) record_path(ENTRY_DIRECTORY, full, inode_of_path(full));
    leave();
    return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
