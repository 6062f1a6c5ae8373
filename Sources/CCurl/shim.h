#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

// curl's setters are variadic C, which Swift can't call: one typed door for each kind of argument.

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_receive(CURL *easy, CURLoption option, ccurl_receive value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLcode ccurl_result(const CURLMsg *message) {
    return message->data.result;
}

// The bytes of an IP address: 4, 16, or 0 for another family. curl's structure ends in a sockaddr that is longer than its
// declaration.
static inline size_t ccurl_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    const char *start = (const char *)&address->addr;
    switch (address->family) {
    case AF_INET:
        memcpy(bytes, start + offsetof(struct sockaddr_in, sin_addr), 4);
        return 4;
    case AF_INET6:
        memcpy(bytes, start + offsetof(struct sockaddr_in6, sin6_addr), 16);
        return 16;
    default:
        return 0;
    }
}

// Macros and anonymous enums that don't come over typed.
static const long ccurl_http2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long ccurl_multiplex = CURLPIPE_MULTIPLEX;
static const long ccurl_tls12 = CURL_SSLVERSION_TLSv1_2;

static inline CURLcode ccurl_global(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
