#ifndef LEDGERD_CEXPAT_H
#define LEDGERD_CEXPAT_H

#include <expat.h>

#endif
