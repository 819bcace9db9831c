// The pages of docs/ for people who use a server, as they stand there: put into the program when it is built, so that it
// stays one file.
#ifndef NEPHOS_DOCUMENTS_H
#define NEPHOS_DOCUMENTS_H

#include <stddef.h>

struct nephos_document {
    /// Of its file, without `.md`; NULL after the last.
    const char *name;
    /// Markdown, UTF-8.
    const unsigned char *bytes;
    size_t count;
};

/// In the order in which they are listed.
const struct nephos_document *nephos_documents(void);

#endif
