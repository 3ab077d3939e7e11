// libmicrohttpd for Swift: the socket door of the table emulator.
#ifndef ODATAKIT_CMICROHTTPD_SHIM_H
#define ODATAKIT_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif
