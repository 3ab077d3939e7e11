// SQLite for Swift. SQLITE_TRANSIENT is a cast and does not import, so it stands here as a function.
#ifndef ODATAKIT_CSQLITE_SHIM_H
#define ODATAKIT_CSQLITE_SHIM_H
#include <sqlite3.h>
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
#endif
