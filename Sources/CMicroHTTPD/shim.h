#pragma once

#include <microhttpd.h>
#include <stddef.h>

static inline int soundgate_hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

/// Decodes `%XX` in place, but for `%00`: the text would end there, and a path or a name be taken for
/// a shorter one. Answers the length.
static inline size_t soundgate_mhd_unescape(
    void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  char *end = text;
  for (const char *next = text; *next != '\0'; end++) {
    int high = *next == '%' ? soundgate_hex_digit(next[1]) : -1;
    int low = high >= 0 ? soundgate_hex_digit(next[2]) : -1;
    if (low >= 0 && high + low > 0) {
      *end = (char)(high * 16 + low);
      next += 3;
    } else {
      *end = *next++;
    }
  }
  *end = '\0';
  return (size_t)(end - text);
}

/// Variadic, hence not callable from Swift. Starts a daemon that is driven from outside through its
/// epoll descriptor, listens on a socket of ours, and may suspend connections.
static inline struct MHD_Daemon *soundgate_mhd_start(
    int listener, unsigned connections, unsigned idle_seconds,
    MHD_AccessHandlerCallback handler, void *handler_context,
    MHD_RequestCompletedCallback completed, void *completed_context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, handler_context,
      MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, completed_context,
      MHD_OPTION_UNESCAPE_CALLBACK, soundgate_mhd_unescape, NULL,
      MHD_OPTION_END);
}

/// Variadic through a union; answers -1 when there is none.
static inline int soundgate_mhd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int soundgate_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
