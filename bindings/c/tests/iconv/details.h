/* Byte order marks, UTF-7, ISO-2022-JP and ISO-2022-KR, names, arguments: what has no step model. */
#ifndef DETAILS_H
#define DETAILS_H

#include "check.h"

void details(struct tester *t);

#endif
