#ifndef LAPIDARY_STDALIGN
#define LAPIDARY_STDALIGN
#define alignas _Alignas
#define alignof _Alignof
#endif
