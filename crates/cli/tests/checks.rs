//! Undefined behaviour: each check with programs that violate it and programs that do not.

mod common;

use common::Folder;

/// What is expected of a program: `safe`, `unknown: …` or what is violated, the options, definitions, and the body of `main`.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    // Bounds.
    ("bounds `a[10]`", "", "int a[10];", "a[10] = 1;"),
    ("bounds `a[-1]`", "", "int a[10];", "return a[-1];"),
    ("safe", "", "int a[10];", "a[9] = 1;"),
    ("bounds `a[i]`", "", "int a[10];", "int i = ANY; if (i >= 0 && i <= 10) a[i] = 1;"),
    ("safe", "", "int a[10];", "int i = ANY; if (i >= 0 && i < 10) a[i] = 1;"),
    ("bounds `a[i]`", "", "int a[10];", "int i = ANY; if (i >= 0 && i <= 10) a[i];"),
    ("safe", "", "int a[2];", "int *p = a + 3; return p != 0;"),
    ("bounds `*p`", "", "int a[2];", "int *p = a + 1; p++; return *p;"),
    ("unknown", "", "int a[2];", "int *p = a + 2; return p[-1];"),
    ("safe", "", "int a[2];", "int *p = a + 1; p++; p--; return *p;"),
    ("bounds `p[1]`", "", "int x;", "int *p = &x; return p[1];"),
    (
        "bounds `s.a[i]`",
        "",
        "struct { int b; int a[2]; } s;",
        "int i = ANY; if (i > 1 && i < 9) s.a[i] = 1;",
    ),
    ("unknown", "", "struct { int a[2]; int b; } s;", "int i = ANY; if (i == 2) s.a[i] = 1;"),
    ("bounds", "", "", "int n = ANY; if (n > -3 && n < 5) { int a[n]; }"),
    ("safe", "", "int a[4];", "return sizeof(a[9]) + (0 && a[7]);"),
    ("safe", "", "int a[4];", "int i = ANY; return i >= 0 && i < 4 && a[i] > 3;"),
    ("bounds `a[i]`", "", "int a[4];", "int i = ANY; return i >= 0 && i <= 4 && a[i] > 3;"),
    ("unknown", "--check overflow", "int a[10];", "a[ANY] = 1;"),
    // Pointers.
    ("pointer `*p`", "", "", "int *p = 0; if (ANY == 4) return *p;"),
    ("pointer `*p`", "", "struct s { int y, x; };", "struct s *p = 0; return p->x;"),
    ("safe", "", "", "int *p = 0; return p == 0 || *p;"),
    ("safe", "", "", "int *p; { p = (int *)alloca(4); } *p = 1;"),
    // An object that is over must not be read as if it were there.
    ("unknown", "", "", "int *p; { int x; p = &x; } *p = 1;"),
    ("unknown", "", "int *f(void) { return (int *)alloca(4); }", "*f() = 1;"),
    ("unknown", "", "int *f(void) { int x; int *p = &x; return p; }", "return *f();"),
    ("unknown", "", "int *g; void f(void) { int x; g = &x; }", "f(); return *g;"),
    ("safe", "", "int f(int *p) { return *p; }", "int x = 1; { int y = 2; return f(&x) + f(&y); }"),
    // Division.
    ("division `x / y`", "", "", "int x = ANY, y = ANY; if (x > 5 && y > -1) return x / y;"),
    ("division `1 % y`", "", "", "int y = ANY; 1 % y;"),
    ("safe", "", "", "int y = ANY; if (y != 0 && y != -1) return 7 / y;"),
    ("unknown", "--check bounds", "", "int y = ANY; return 7 / y;"),
    (
        "safe",
        "--check assertion",
        "extern void reach_error(void);",
        "int y = ANY; y = 7 / y; if (!y && y) reach_error();",
    ),
    // Shifts.
    ("shift `x << 32`", "", "", "int x = ANY; return x << 32;"),
    ("shift `x >> y`", "", "", "int x = ANY, y = ANY; if (y < 10) return x >> y;"),
    ("safe", "", "", "int x = ANY, y = ANY; if (0 <= y && y < 32) return x >> y;"),
    // Overflow.
    ("safe", "", "", "int x = ANY; return x + 1;"),
    ("overflow `x + 1`", "--check overflow", "", "int x = ANY; return x + 1;"),
    ("overflow `x + 1`", "--check all --arith bv", "", "int x = ANY; return x + 1;"),
    ("safe", "--check overflow", "", "int x = ANY; return x < 2147483647 ? x + 1 : x;"),
    ("safe", "--check overflow --arith bv", "", "int x = ANY; return x < 2147483647 ? x + 1 : x;"),
    ("overflow `x - y`", "--check overflow", "", "int x = ANY, y = ANY; if (x >= 0) x - y;"),
    (
        "overflow `x - y`",
        "--check overflow --arith bv",
        "",
        "int x = ANY, y = ANY; if (x >= 0) x - y;",
    ),
    ("safe", "--check overflow", "", "int x = ANY, y = ANY; if (x >= 0 && y >= 0) x - y;"),
    (
        "safe",
        "--check overflow --arith bv",
        "",
        "int x = ANY, y = ANY; if (x >= 0 && y >= 0) x - y;",
    ),
    ("overflow `x * x`", "--check overflow --arith bv", "", "int x = ANY; x * x;"),
    ("safe", "--check overflow --arith bv", "", "int x = ANY; if (x > -46341 && x < 46341) x * x;"),
    ("overflow `-x`", "--check overflow", "", "int x = ANY; return -x;"),
    ("overflow `-x`", "--check overflow --arith bv", "", "int x = ANY; return -x;"),
    (
        "overflow `x / y`",
        "--check overflow,division",
        "",
        "int x = ANY, y = ANY; if (y < 0) return x / y;",
    ),
    (
        "overflow `x % y`",
        "--check overflow,division",
        "",
        "int x = ANY, y = ANY; if (y < 0) return x % y;",
    ),
    ("overflow `x / -1`", "--check overflow", "", "int x = ANY; return x / -1;"),
    ("safe", "--check overflow", "", "unsigned x = ANY; x++; x = x * x - 7; return -x;"),
    ("overflow `x + 1`", "--check overflow", "", "int x = ANY; x++;"),
    ("safe", "--check overflow", "", "char c = 127; c++;"),
    ("overflow `c << 24`", "--check overflow", "", "unsigned char c = 200; c << 24;"),
    ("safe", "--check overflow", "", "int x = 2147483648L;"),
    ("overflow `b + 2147483647`", "--check overflow", "", "char b = 3; b += 2147483647;"),
    ("safe", "--check overflow", "", "short s = -32768; s = -s;"),
    ("overflow `a * a`", "--check overflow", "", "unsigned short a = 65535; a * a;"),
    ("overflow `2147483647 + 1`", "--check overflow", "", "if (2147483647 + 1 > 0) return 1;"),
    ("safe", "--check overflow", "int x = 1 << 31;", "switch (x) { case 1 << 31: return 1; }"),
    (
        "safe",
        "--check overflow",
        "int a[1 + (2147483647 + 2 < 0)];",
        "int *p = a; p = p + 1; p -= 1;",
    ),
    ("overflow `x << 3`", "--check overflow --arith bv", "", "int x = ANY; if (x >= 0) x << 3;"),
    ("overflow `x << 3`", "--check overflow", "", "int x = ANY; if (x < 5) x << 3;"),
    ("safe", "--check overflow --arith bv", "", "int x = ANY; if (x >= 0 && x < 9) x << 3;"),
    // The elements of an array are in their range.
    (
        "safe",
        "--check overflow",
        "char a[9];",
        "int i = ANY; if (i >= 0 && i < 9) { a[i] = ANY; return a[i] + a[0]; }",
    ),
    // Allocated memory.
    ("pointer `*p`", "", "", "int *p = (int *)malloc(4); free(p); return *p;"),
    ("free `free(p)`", "", "", "int *p = (int *)malloc(4); free(p); free(p);"),
    ("free `free(p)`", "", "int x;", "int *p = &x; free(p);"),
    ("free `free(p + 1)`", "", "", "int a[2]; int *p = (int *)malloc(8); free(p + 1);"),
    ("free", "", "", "int *p = (int *)alloca(4); free(p);"),
    ("safe", "", "", "free(0);"),
    (
        "pointer",
        "",
        "struct n { int v; struct n *next; };",
        "struct n *p = 0; for (int i = 0; i < 2; i++) { struct n *q = (struct n *)malloc(8); \
         q->v = i; q->next = p; p = q; } free(p->next); p = p->next; return p->v;",
    ),
    ("safe", "", "", "int *p = (int *)malloc(4); p += 1; p -= 1; free(p);"),
    ("safe", "", "", "int *p = (int *)malloc(4); *p = 1; int x = *p; free(p); return x;"),
    ("bounds `p[2]`", "", "", "int a[2]; int *p = (int *)malloc(8); return p[2];"),
    ("leak", "--check all", "", "int *p = (int *)malloc(4);"),
    // Memory that is lost, and memory that is not freed.
    (
        "unknown: unsupported: memory that may be lost",
        "--check leak --bits 64",
        "unsigned long number;",
        "number = (unsigned long)malloc(8);",
    ),
    ("safe", "--check leak", "", "int *p = (int *)malloc(4); free(p);"),
    ("safe", "--check leak,cleanup", "", "int *p = (int *)malloc(4); p++; free(p - 1);"),
    ("cleanup", "--check cleanup", "int *g;", "g = (int *)malloc(4);"),
    ("unknown", "--check leak", "int *g;", "g = (int *)malloc(4);"),
    ("leak", "--check leak", "int *g;", "g = (int *)malloc(4); g = 0;"),
    ("unknown", "--check leak", "extern void exit(int);", "int *p = (int *)malloc(4); exit(0);"),
    ("cleanup", "--check cleanup", "extern void exit(int);", "int *p = (int *)malloc(4); exit(0);"),
    ("safe", "--check leak,cleanup", "", "int *p = (int *)alloca(4); *p = 1;"),
    // The second block cannot be reached any more.
    (
        "leak",
        "--check leak",
        "struct n { struct n *next; };",
        "struct n *p = 0; for (int i = 0; i < 3; i++) { struct n *q = (struct n *)malloc(8); \
         q->next = p; p = q; } p = p->next; while (p) { struct n *q = p->next; free(p); p = q; }",
    ),
    (
        "safe",
        "--check leak,cleanup",
        "struct n { struct n *next; };",
        "struct n *p = 0; for (int i = 0; i < 3; i++) { struct n *q = (struct n *)malloc(8); \
         q->next = p; p = q; } while (p) { struct n *q = p->next; free(p); p = q; }",
    ),
    ("unknown", "--check leak", "", "int z = 0, *p = (int *)malloc(4); p = 0; z = 1 / z;"),
    // An execution that does not end may lose memory, too.
    ("unknown", "--check leak", "", "int *p = (int *)malloc(4); p = 0; for (;;) {}"),
    ("unknown", "--check leak", "", "for (;;) malloc(1);"),
    ("unknown", "--check leak", "", "int *p = (int *)malloc(4); p = 0; again: goto again;"),
    (
        "safe",
        "--check leak --domain product",
        "",
        "int n = ANY; int *p = (int *)malloc(4); for (int i = 0; i < n; i++) *p = i; free(p);",
    ),
    (
        "bounds",
        "",
        "extern void *memset(void *, int, unsigned long);",
        "int a[2]; memset(a, 1, 9);",
    ),
    // Nothing of it is there.
    ("bounds `*p`", "", "", "char *p = (char *)malloc(0); *p = 1;"),
    ("safe", "--check all,cleanup", "", "int a[3] = {1, 2, 3}; return a[1] / a[2];"),
    // The first violation ends the execution.
    ("division `7 / i`", "", "int a[3];", "int i = 0; a[7 / i + 9] = 1;"),
    // Functions of the library are checked inside.
    (
        "bounds `text[n]`",
        "",
        "extern unsigned long strlen(const char *); char b[3] = \"abc\";",
        "return strlen(b);",
    ),
];

fn program(definitions: &str, body: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long), *alloca(unsigned long);\n\
         extern void free(void *);\n#define ANY __VERIFIER_nondet_int()\n{definitions}\nint main(void) {{ {body} return 0; }}\n"
    )
}

#[test]
fn each_check_is_violated_where_it_is() {
    let folder = Folder::new("each_check");
    let mut wrong = Vec::new();
    for (expected, options, definitions, body) in PROGRAMS {
        folder.write("t.c", program(definitions, body));
        let mut words = vec!["verify", "t.c", "--trace", "full", "--time", "60"];
        words.extend(options.split_whitespace());
        let ran = folder.run(&words);
        let violated = ran.stdout.lines().find_map(|line| line.strip_prefix("Violated: "));
        let found = match violated {
            Some(line) => {
                let expression = line.split_once(": `").map_or("", |(_, text)| text);
                let kind = line.split(' ').next().unwrap_or_default();
                format!("{kind} `{expression}")
            }
            None => ran.last_line().into(),
        };
        if !found.starts_with(expected) {
            wrong.push(format!("{options} {definitions} {body}\n  {expected}, not {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SEVERAL: &str = "int main(int n, char **v) {
  int a[3] = {0, 0, 0};
  a[2] = n;
  if (n > 2) a[n] = 10 / n;
  return 7 / a[0];
}
";

#[test]
fn checks_are_listed_and_chosen() {
    let folder = Folder::new("listed_checks");
    folder.write("t.c", SEVERAL);
    let table = "   0  4:16  bounds    main  a[n]
   1  4:21  division  main  10 / n
   2  5:10  division  main  7 / a[0]
";
    folder.check(&["inspect", "t.c", "--properties"], 0, table, "");
    let ran = folder.run(&["inspect", "t.c", "--properties", "--json", "--property", "bounds"]);
    let rows: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "{rows}");
    assert_eq!((&rows[0]["place"], &rows[0]["property"]), (&"4:16".into(), &"valid-deref".into()));
    // The division by a constant element is proved, but only for executions without the violation before.
    let ran = folder.run(&["verify", "t.c", "--each-assertion"]);
    let expected = "Properties:

  4:16 bounds    unsafe
  4:21 division  safe up to the violation at 4:16 bounds
  5:10 division  unsafe
";
    assert!(ran.stdout.contains(expected) && ran.status == 1, "{ran:?}");
    // By itself that is no proof: the violation before is not asked for.
    for (property, status) in [("bounds", 1), ("4:21", 2), ("4:21 division", 2), ("division", 1)] {
        let ran = folder.run(&["verify", "-q", "t.c", "--property", property]);
        assert_eq!(ran.status, status, "{property}: {ran:?}");
    }
    let ran = folder.run(&["verify", "-q", "t.c", "--property", "4:21"]);
    let reason = "a violation of `bounds`, which was not asked for, at 4:16";
    assert!(ran.stdout.contains(reason), "{ran:?}");
    folder.write("t.c", SEVERAL.replace("n > 2", "n == 2").replace("/ a[0]", ""));
    assert_eq!(folder.run(&["verify", "-q", "t.c", "--property", "4:22"]).status, 0);
    let ran = folder.run(&["inspect", "safe.cfa", "--properties"]);
    assert_eq!(ran.status, 64, "{ran:?}");
}
