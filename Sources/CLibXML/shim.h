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
#include <libxml/globals.h>

// xmlFree is a mutable global function pointer, which Swift 6 refuses to read.
static inline void cxml_free(void *pointer) { xmlFree(pointer); }

// What libxml2 cannot blame on a parser, such as a byte that does not fit the encoding, it reports to the handlers of the
// thread; without any it prints to stderr, excerpt included. The first of two calls takes the place of both
// handlers, the second gives it back.
typedef struct {
    xmlStructuredErrorFunc structured;
    void *structuredContext;
    xmlGenericErrorFunc generic;
    void *genericContext;
} cxml_error_handlers;

static inline void cxml_ignore_structured(void *context, const xmlError *error) { (void)context, (void)error; }
static inline void cxml_ignore_generic(void *context, const char *format, ...) { (void)context, (void)format; }

static inline cxml_error_handlers cxml_silence_errors(void) {
    cxml_error_handlers before = {
        xmlStructuredError, xmlStructuredErrorContext, xmlGenericError, xmlGenericErrorContext};
    // The error became a pointer to const in libxml2 2.12.
    xmlSetStructuredErrorFunc(0, (xmlStructuredErrorFunc)cxml_ignore_structured);
    xmlSetGenericErrorFunc(0, cxml_ignore_generic);
    return before;
}

static inline void cxml_restore_errors(cxml_error_handlers before) {
    xmlSetStructuredErrorFunc(before.structuredContext, before.structured);
    xmlSetGenericErrorFunc(before.genericContext, before.generic);
}
#endif
