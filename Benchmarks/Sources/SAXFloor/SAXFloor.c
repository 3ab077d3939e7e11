#include "SAXFloor.h"

#include <libxml/parser.h>
#include <string.h>

typedef struct {
    long elements;
    long text;
} Counts;

static void start_element(void *counts, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
    const xmlChar **namespace, int attributes, int defaulted, const xmlChar **attribute) {
    ((Counts *)counts)->elements++;
}

static void end_element(void *counts, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

static void characters(void *counts, const xmlChar *text, int length) { ((Counts *)counts)->text += length; }

long sax_floor(const unsigned char *bytes, size_t count, size_t piece) {
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start_element;
    handler.endElementNs = end_element;
    handler.characters = characters;
    Counts counts = {0, 0};
    xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&handler, &counts, NULL, 0, NULL);
    if (!context) return -1;
    int failed = 0;
    for (size_t start = 0; start < count && !failed; start += piece) {
        size_t length = count - start < piece ? count - start : piece;
        failed = xmlParseChunk(context, (const char *)bytes + start, (int)length, 0);
    }
    if (!failed) failed = xmlParseChunk(context, NULL, 0, 1);
    xmlFreeParserCtxt(context);
    return failed ? -1 : counts.elements;
}
