// libmicrohttpd for Swift: the socket door of the table emulator.
#ifndef ODATAKIT_CMICROHTTPD_SHIM_H
#define ODATAKIT_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#include <string.h>

// Leaves escapes as they are: signatures are computed over the path as it came.
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// MHD_start_daemon is variadic, which does not import. A thread for each connection: a handler may block on the
// store without holding up the others. poll instead of select, which fails beyond 1024 descriptors; the channel
// between threads (ITC) is what quiescing needs.
static inline struct MHD_Daemon *cmhd_start(
    int socket, unsigned int connection_limit, unsigned int idle_seconds, MHD_AccessHandlerCallback handler,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
      handler, context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(256 << 10),
      MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_UNESCAPE_CALLBACK, cmhd_keep_escapes, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

// The names under which the library's enumerations import depend on its version and on the compiler.
static inline enum MHD_Result cmhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result cmhd_no(void) { return MHD_NO; }

// A response of bytes that the library copies.
static inline struct MHD_Response *cmhd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// Calls `each` with every header field of a request.
static inline void cmhd_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}
#endif
