#include "details.h"
void details(struct tester *t) { (void)t; }
