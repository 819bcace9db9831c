// The pages of docs/ for people who use a server, unchanged: they are embedded into the program when it is built, so that
// it remains one file.
#ifndef NEPHOS_DOCUMENTS_H
#define NEPHOS_DOCUMENTS_H

#include <stddef.h>

struct nephos_document {
    /// The name of its file, without `.md`; NULL after the last document.
    const char *name;
    /// Markdown, UTF-8.
    const unsigned char *bytes;
    size_t count;
};

/// Returns all documents, in the order in which they are listed.
const struct nephos_document *nephos_documents(void);

#endif
