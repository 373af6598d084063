#ifndef LAPIDARY_STDNORETURN
#define LAPIDARY_STDNORETURN
#define noreturn _Noreturn
#endif
