// OpenSSL's libcrypto for Swift: HMAC-SHA256 and nothing else.
#ifndef ODATAKIT_COPENSSL_SHIM_H
#define ODATAKIT_COPENSSL_SHIM_H
#include <openssl/evp.h>
#include <openssl/hmac.h>
#endif
