#undef assert
#ifdef NDEBUG
#define assert(condition) ((void) 0)
#else
#define assert(condition) \
    ((condition) ? (void) 0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#undef static_assert
#define static_assert _Static_assert
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
