#ifndef SAX_FLOOR_H
#define SAX_FLOOR_H
#include <stddef.h>

/// Parses a document with libxml2's SAX2 push parser, in pieces of `piece` bytes, with callbacks that count and do nothing
/// else. Gives the number of elements, or -1 where the document is broken.
long sax_floor(const unsigned char *bytes, size_t count, size_t piece);

#endif
