#include "nephos_curl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <stdio.h>

// CURLMsg of libcurl.
struct message {
    int kind;
    nephos_curl_easy *easy;
    union {
        void *whatever;
        int code;
    } data;
};

static struct {
    int (*global_init)(long);
    nephos_curl_easy *(*easy_init)(void);
    void (*easy_reset)(nephos_curl_easy *);
    void (*easy_cleanup)(nephos_curl_easy *);
    int (*easy_setopt)(nephos_curl_easy *, int, ...);
    int (*easy_getinfo)(nephos_curl_easy *, int, ...);
    const char *(*easy_strerror)(int);
    nephos_curl_list *(*slist_append)(nephos_curl_list *, const char *);
    void (*slist_free_all)(nephos_curl_list *);
    nephos_curl_multi *(*multi_init)(void);
    int (*multi_cleanup)(nephos_curl_multi *);
    int (*multi_setopt)(nephos_curl_multi *, int, ...);
    int (*multi_add_handle)(nephos_curl_multi *, nephos_curl_easy *);
    int (*multi_remove_handle)(nephos_curl_multi *, nephos_curl_easy *);
    int (*multi_perform)(nephos_curl_multi *, int *);
    int (*multi_poll)(nephos_curl_multi *, void *, unsigned, int, int *);
    int (*multi_wakeup)(nephos_curl_multi *);
    struct message *(*multi_info_read)(nephos_curl_multi *, int *);
} curl;

static char failure[512];

static bool find(void *library, const char *name, void *place) {
    void *found = dlsym(library, name);
    if (!found) snprintf(failure, sizeof failure, "libcurl is too old (it has no %s): 7.68 or newer is required", name);
    *(void **)place = found;
    return found;
}

const char *nephos_curl_load(void) {
    // The second name is that of Debian's build with another TLS library, which has the same interface.
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        snprintf(failure, sizeof failure, "libcurl is missing, install it (Debian, Ubuntu: libcurl4): %s", why ? why : "");
        return failure;
    }
#define FIND(name) find(library, "curl_" #name, &curl.name)
    if (!(FIND(global_init) && FIND(easy_init) && FIND(easy_reset) && FIND(easy_cleanup) && FIND(easy_setopt)
            && FIND(easy_getinfo) && FIND(easy_strerror) && FIND(slist_append) && FIND(slist_free_all) && FIND(multi_init)
            && FIND(multi_cleanup) && FIND(multi_setopt) && FIND(multi_add_handle) && FIND(multi_remove_handle)
            && FIND(multi_perform) && FIND(multi_poll) && FIND(multi_wakeup) && FIND(multi_info_read)))
        return failure;
    const long everything = 3;
    if (curl.global_init(everything) != 0) return "libcurl cannot be started";
    return NULL;
}

nephos_curl_easy *nephos_curl_easy_init(void) { return curl.easy_init(); }
void nephos_curl_easy_reset(nephos_curl_easy *easy) { curl.easy_reset(easy); }
void nephos_curl_easy_cleanup(nephos_curl_easy *easy) { curl.easy_cleanup(easy); }

bool nephos_curl_set_long(nephos_curl_easy *easy, int option, long value) {
    return curl.easy_setopt(easy, option, value) == 0;
}

bool nephos_curl_set_offset(nephos_curl_easy *easy, int option, int64_t value) {
    return curl.easy_setopt(easy, option, value) == 0;
}

bool nephos_curl_set_pointer(nephos_curl_easy *easy, int option, const void *value) {
    return curl.easy_setopt(easy, option, value) == 0;
}

bool nephos_curl_set_text(nephos_curl_easy *easy, int option, const char *value) {
    return curl.easy_setopt(easy, option, value) == 0;
}

bool nephos_curl_set_bytes(nephos_curl_easy *easy, int option, nephos_curl_bytes function) {
    return curl.easy_setopt(easy, option, function) == 0;
}

bool nephos_curl_set_seek(nephos_curl_easy *easy, int option, nephos_curl_seek function) {
    return curl.easy_setopt(easy, option, function) == 0;
}

bool nephos_curl_set_socket(nephos_curl_easy *easy, int option, nephos_curl_socket function) {
    return curl.easy_setopt(easy, option, function) == 0;
}

long nephos_curl_get_long(nephos_curl_easy *easy, int info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

int64_t nephos_curl_get_offset(nephos_curl_easy *easy, int info) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

const char *nephos_curl_error_text(int code) { return curl.easy_strerror(code); }

nephos_curl_list *nephos_curl_append(nephos_curl_list *list, const char *text) { return curl.slist_append(list, text); }
void nephos_curl_free(nephos_curl_list *list) { curl.slist_free_all(list); }

nephos_curl_multi *nephos_curl_multi_init(void) { return curl.multi_init(); }
void nephos_curl_multi_cleanup(nephos_curl_multi *multi) { curl.multi_cleanup(multi); }

bool nephos_curl_multi_set_long(nephos_curl_multi *multi, int option, long value) {
    return curl.multi_setopt(multi, option, value) == 0;
}

bool nephos_curl_multi_add(nephos_curl_multi *multi, nephos_curl_easy *easy) {
    return curl.multi_add_handle(multi, easy) == 0;
}

void nephos_curl_multi_remove(nephos_curl_multi *multi, nephos_curl_easy *easy) { curl.multi_remove_handle(multi, easy); }

bool nephos_curl_multi_perform(nephos_curl_multi *multi) {
    int running = 0;
    return curl.multi_perform(multi, &running) == 0;
}

bool nephos_curl_multi_poll(nephos_curl_multi *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL) == 0;
}

void nephos_curl_multi_wakeup(nephos_curl_multi *multi) { curl.multi_wakeup(multi); }

nephos_curl_easy *nephos_curl_multi_ended(nephos_curl_multi *multi, int *code) {
    int left = 0;
    struct message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        const int done = 1;
        if (message->kind != done) continue;
        *code = message->data.code;
        return message->easy;
    }
    return NULL;
}

#endif
