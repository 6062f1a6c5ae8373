// Nothing to call: the functions of mutex.c take the place of those of the library.
