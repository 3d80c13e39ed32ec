#pragma once

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift cannot import: these copy the bytes at once. */

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes,
                                    int count) {
  return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* A null pointer would bind NULL; an empty blob has none to offer. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                    int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic. */
static inline int csqlite_keep_log_on_close(sqlite3 *connection, int keep) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}
