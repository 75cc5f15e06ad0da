/*
 * Moves the calendar of a process by MOVED_BY_SECONDS, loaded by LD_PRELOAD, and of all that it starts: Node.js,
 * PostgreSQL and OpenSSL read another day. The clock that limits and waits go by is not moved. No lock is taken, since
 * PostgreSQL asks for the time in handlers of signals.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_sem_timedwait)(sem_t *, const struct timespec *);
static char preload[4096];

__attribute__((constructor)) static void find_real(void) {
  Dl_info own;
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  real_sem_timedwait = dlsym(RTLD_NEXT, "sem_timedwait");
  if (dladdr(preload, &own)) snprintf(preload, sizeof preload, "LD_PRELOAD=%s", own.dli_fname);
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
  /* Constructors of other libraries can ask before the one of this library has run. */
  if (!real_clock_gettime) find_real();
  int result = real_clock_gettime(clock, moment);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) moment->tv_sec += MOVED_BY_SECONDS;
  return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  moment->tv_sec = precise.tv_sec;
  moment->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *seconds) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME_COARSE, &precise);
  if (seconds) *seconds = precise.tv_sec;
  return precise.tv_sec;
}

/* V8 waits for semaphores until a moment of the calendar, which the kernel reads by the real one. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  struct timespec real_until = *until;
  real_until.tv_sec -= MOVED_BY_SECONDS;
  return real_sem_timedwait(semaphore, &real_until);
}

/* Node.js starts all programs by this. A program whose environment does not inherit is moved too. */
int execvp(const char *file, char *const words[]) {
  int count = 0;
  while (environ[count]) count++;
  char *moved[count + 2];
  int kept = 0;
  for (int index = 0; index < count; index++)
    if (strncmp(environ[index], "LD_PRELOAD=", 11) != 0) moved[kept++] = environ[index];
  moved[kept++] = preload;
  moved[kept] = NULL;
  return execvpe(file, words, moved);
}
