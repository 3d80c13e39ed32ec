#pragma once

// What glibc (2.36 or later) has and its Swift module lacks.
#include <spawn.h>
#include <sys/pidfd.h>
#include <wchar.h>

// <spawn.h> shows it only to sources that ask for GNU extensions before their first include.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// <wchar.h> shows it only to sources that ask for the X/Open system interfaces.
int wcwidth(wchar_t character);
