// libxml2 for Swift: the SAX2 push parser and what it needs.
//
// Debian builds libxml2 with ICU, whose types then clash with Foundation's own copy in debug builds. The parts used
// here need no ICU, so its flag is taken back before the headers that look at it. This changes the layout of
// xmlCharEncodingHandler as Swift sees it: never read the fields of that struct.
#ifndef ODATAKIT_CLIBXML_SHIM_H
#define ODATAKIT_CLIBXML_SHIM_H
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>

// xmlFree is a mutable global function pointer, which Swift 6 refuses to read.
static inline void cxml_free(void *pointer) { xmlFree(pointer); }
#endif
