// The files that the binary carries. C embeds them in milliseconds, where a Swift literal takes minutes to compile.
#pragma once
#include <stddef.h>

struct embedded_file {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// docs/openapi.json.
struct embedded_file embedded_openapi(void);

/// docs/schema.sql: the schema and its rights as the files of schema/ and migrations/ make them.
struct embedded_file embedded_schema(void);

/// A list of files.
struct embedded_files {
    const struct embedded_file *_Nonnull first;
    size_t count;
};

/// schema/folded.sha256: the migrations that schema/ was made of.
struct embedded_file embedded_folded(void);

/// schema/*.sql, in the order in which they are applied.
struct embedded_files embedded_tables(void);

/// schema/judges/*.sql.
struct embedded_files embedded_judges(void);

/// migrations/*.sql, in the order in which they are applied.
struct embedded_files embedded_migrations(void);

/// What was built, and of what.
struct embedded_build {
    /// The file VERSION, with its line feed.
    const char *_Nonnull version;
    /// The commit; null in a build that is no release's.
    const char *_Nullable commit;
    /// When it was built, in RFC 3339 and UTC; null in a build that is no release's.
    const char *_Nullable time;
};
struct embedded_build embedded_build(void);
