#include "CPNGCodec.h"
