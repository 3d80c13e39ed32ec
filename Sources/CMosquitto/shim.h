#pragma once

#include <mosquitto.h>

/* Of libssl, on which libmosquitto stands: why a certificate was not accepted (X509_V_ERR_…).
   Declared here because <openssl/ssl.h> would bring in far more than this one question. */
extern long SSL_get_verify_result(const void *ssl);
