#ifndef LEDGERD_CZLIB_H
#define LEDGERD_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see. 16 above the window's bits asks for gzip's header and trailer.
static inline int ledgerd_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// Minus 15 bits: data without a header, as in a zip.
static inline int ledgerd_inflate_raw_init(z_stream *stream) {
    return inflateInit2(stream, -15);
}

#endif
