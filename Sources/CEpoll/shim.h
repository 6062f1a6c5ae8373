/* epoll(7), which the C library's module of Swift leaves out. */
#include <sys/epoll.h>
