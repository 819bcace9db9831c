// The functions of libcurl that the transport uses, loaded when a program first needs them: neither headers nor a
// development package is needed to build, and a program that never uses the network needs no libcurl.
// (docs/decisions/0010)
//
// Option numbers are part of libcurl's binary interface, which has not changed since 2006 (libcurl.so.4). Version 7.68 or
// newer is required.
#ifndef NEPHOS_CURL_H
#define NEPHOS_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nephos_curl_easy nephos_curl_easy;
typedef struct nephos_curl_multi nephos_curl_multi;
typedef struct nephos_curl_list nephos_curl_list;

/// Loads libcurl. Must be called once, before any other function here.
///
/// Returns NULL, or the reason why libcurl cannot be used; the text is never freed.
const char *nephos_curl_load(void);

// One exchange. See curl_easy_setopt(3) and curl_easy_getinfo(3). Setters return whether libcurl accepts the option.
nephos_curl_easy *nephos_curl_easy_init(void);
void nephos_curl_easy_reset(nephos_curl_easy *easy);
void nephos_curl_easy_cleanup(nephos_curl_easy *easy);
bool nephos_curl_set_long(nephos_curl_easy *easy, int option, long value);
bool nephos_curl_set_offset(nephos_curl_easy *easy, int option, int64_t value);
bool nephos_curl_set_pointer(nephos_curl_easy *easy, int option, const void *value);
bool nephos_curl_set_text(nephos_curl_easy *easy, int option, const char *value);
long nephos_curl_get_long(nephos_curl_easy *easy, int info);
int64_t nephos_curl_get_offset(nephos_curl_easy *easy, int info);
const char *nephos_curl_error_text(int code);

/// The `write`, `header` and `read` callbacks of an exchange, with libcurl's signatures.
typedef size_t (*nephos_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*nephos_curl_seek)(void *context, int64_t offset, int origin);
typedef int (*nephos_curl_socket)(void *context, int socket, int purpose);
bool nephos_curl_set_bytes(nephos_curl_easy *easy, int option, nephos_curl_bytes function);
bool nephos_curl_set_seek(nephos_curl_easy *easy, int option, nephos_curl_seek function);
bool nephos_curl_set_socket(nephos_curl_easy *easy, int option, nephos_curl_socket function);

/// Returns NULL when out of memory; the passed list is still valid then.
nephos_curl_list *nephos_curl_append(nephos_curl_list *list, const char *text);
void nephos_curl_free(nephos_curl_list *list);

// Many exchanges. See curl_multi_poll(3).
nephos_curl_multi *nephos_curl_multi_init(void);
void nephos_curl_multi_cleanup(nephos_curl_multi *multi);
bool nephos_curl_multi_set_long(nephos_curl_multi *multi, int option, long value);
bool nephos_curl_multi_add(nephos_curl_multi *multi, nephos_curl_easy *easy);
void nephos_curl_multi_remove(nephos_curl_multi *multi, nephos_curl_easy *easy);
/// Does what can be done without blocking.
bool nephos_curl_multi_perform(nephos_curl_multi *multi);
/// Blocks until something can be done, the time has passed, or another thread calls nephos_curl_multi_wakeup.
bool nephos_curl_multi_poll(nephos_curl_multi *multi, int milliseconds);
/// Ends the current or next nephos_curl_multi_poll. May be called from any thread.
void nephos_curl_multi_wakeup(nephos_curl_multi *multi);
/// Returns the next exchange that has ended, and sets its result code; NULL if there is none.
nephos_curl_easy *nephos_curl_multi_ended(nephos_curl_multi *multi, int *code);

#endif
