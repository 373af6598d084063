//! Which C programs need a preprocessor: those with names that only the headers define.

use lapidary_frontend::SourceFile;
use lapidary_frontend::c::needs_preprocessor;

fn needs(text: &str) -> bool {
    needs_preprocessor(&SourceFile::new("t.c", text))
}

#[test]
fn known_headers_and_names_need_no_preprocessor() {
    for text in [
        "int main(void) { return 0; }",
        "#include <limits.h>\nint main(void) { return INT_MAX; }",
        "#include <limits.h>\nint main(void) { int count = 1; return count; }",
        "#include <stdint.h>\nint32_t x = INT32_MIN; uint64_t y = UINT32_MAX;",
        "#include <stddef.h>\nsize_t x; int PRI = 1;",
        "int INT_LEAST8_MAX = 1;",
        "int f(int a, int b) { return a ? b : a %2 <b; } char *s = \"<: %>\";",
        "int x = 1 + \\\n 2;",
    ] {
        assert!(!needs(text), "{text}");
    }
}

#[test]
fn directives_and_other_names_need_one() {
    for text in [
        "#define N 3\nint x = N;",
        "#if 1\nint x;\n#endif",
        "#include \"other.h\"\nint x;",
        "#include <limits.h>\nint x = INT_LEAST8_MAX;",
        "#include <stdint.h>\nuint_fast8_t x;",
        "#include <inttypes.h>\nchar *format = PRId64;",
        "#include <stdio.h>\nFILE *file;",
        "#include <assert.h>\nstatic_assert(1, \"one\");",
        "#include <stdint.h>\nint x = WCHAR_MAX;",
        "#include <stddef.h>\nmax_align_t x;",
        "in\\\nt x;",
    ] {
        assert!(needs(text), "{text}");
    }
}
