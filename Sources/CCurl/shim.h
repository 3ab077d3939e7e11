// libcurl for Swift. Variadic functions do not import, so one inline function stands here per argument type.
#ifndef ODATAKIT_CCURL_SHIM_H
#define ODATAKIT_CCURL_SHIM_H
#define CURL_STRICTER 1
#include <curl/curl.h>
#endif
