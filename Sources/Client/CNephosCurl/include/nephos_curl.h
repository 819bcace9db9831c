// What the transport needs of libcurl, found when a program first asks for it: neither headers nor a development package
// are needed to build, and a program that never talks to a network needs no libcurl. (docs/decisions/0010)
//
// Numbers of options are part of libcurl's binary interface, which has not changed since 2006 (libcurl.so.4). 7.68 or
// newer is needed.
#ifndef NEPHOS_CURL_H
#define NEPHOS_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nephos_curl_easy nephos_curl_easy;
typedef struct nephos_curl_multi nephos_curl_multi;
typedef struct nephos_curl_list nephos_curl_list;

/// Loads libcurl. To be called once, before anything else here.
///
/// Returns NULL, or why there is none; the text stays.
const char *nephos_curl_load(void);

// One exchange. See curl_easy_setopt(3) and curl_easy_getinfo(3). Setting answers whether libcurl knows the option.
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

/// Both `write` and `header` of an exchange, and `read`: curl's own signatures.
typedef size_t (*nephos_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*nephos_curl_seek)(void *context, int64_t offset, int origin);
typedef int (*nephos_curl_socket)(void *context, int socket, int purpose);
bool nephos_curl_set_bytes(nephos_curl_easy *easy, int option, nephos_curl_bytes function);
bool nephos_curl_set_seek(nephos_curl_easy *easy, int option, nephos_curl_seek function);
bool nephos_curl_set_socket(nephos_curl_easy *easy, int option, nephos_curl_socket function);

/// NULL when there is no memory; the list that was passed is still good then.
nephos_curl_list *nephos_curl_append(nephos_curl_list *list, const char *text);
void nephos_curl_free(nephos_curl_list *list);

// Many exchanges. See curl_multi_poll(3).
nephos_curl_multi *nephos_curl_multi_init(void);
void nephos_curl_multi_cleanup(nephos_curl_multi *multi);
bool nephos_curl_multi_set_long(nephos_curl_multi *multi, int option, long value);
bool nephos_curl_multi_add(nephos_curl_multi *multi, nephos_curl_easy *easy);
void nephos_curl_multi_remove(nephos_curl_multi *multi, nephos_curl_easy *easy);
/// Does what can be done without waiting.
bool nephos_curl_multi_perform(nephos_curl_multi *multi);
/// Waits until something can be done, or somebody wakes it up.
bool nephos_curl_multi_poll(nephos_curl_multi *multi, int milliseconds);
/// From any thread.
void nephos_curl_multi_wakeup(nephos_curl_multi *multi);
/// The next exchange that ended, and how; NULL when there is none.
nephos_curl_easy *nephos_curl_multi_ended(nephos_curl_multi *multi, int *code);

#endif
