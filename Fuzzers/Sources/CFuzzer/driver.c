// A target of C needs a source; the functions are in the compiler's runtime.
#include "CFuzzer.h"
