//! C programs of several files, with options of the preprocessor, and compilation databases.

mod common;

use common::Folder;

const HEADER: &str = "#ifndef QUEUE_H
#define QUEUE_H
struct node { int value; struct node *next; };
typedef struct { struct node *head; int count; } queue;
void put(queue *q, struct node *n);
int take(queue *q);
extern int capacity;
#endif
";

const QUEUE: &str = "#include \"queue.h\"
static int calls;
int capacity = LIMIT;
static void note(void) { calls++; }
void put(queue *q, struct node *n) { note(); n->next = q->head; q->head = n; q->count++; }
int take(queue *q) {
    struct node *n = q->head;
    note();
    q->head = n->next;
    q->count--;
    return n->value;
}
";

const MAIN: &str = "#include <assert.h>
#include \"queue.h\"
static int calls = 7;
static void note(void) { calls = 8; }
int main(void) {
    queue q = { 0, 0 };
    struct node a = { 1, 0 }, b = { 2, 0 };
    put(&q, &a);
    put(&q, &b);
    assert(take(&q) == 2);
    assert(q.count == 1 && calls == 7 && capacity == 3);
    note();
    assert(calls == 8);
    return 0;
}
";

/// A folder with a program of two files.
fn program(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::create_dir_all(folder.path().join("include")).unwrap();
    folder.write("include/queue.h", HEADER);
    folder.write("queue.c", QUEUE);
    folder.write("main.c", MAIN);
    folder
}

#[test]
fn files_are_one_program() {
    let folder = program("several");
    let ran = folder.run(&["verify", "main.c", "queue.c", "-Iinclude", "-DLIMIT=3"]);
    assert_eq!(ran.last_line(), "safe", "{ran:?}");
    let ran = folder.run(&["verify", "queue.c", "main.c", "-I", "include", "-D", "LIMIT=4"]);
    assert_eq!(ran.last_line(), "unsafe", "{ran:?}");
    assert!(ran.stdout.contains("main.c:11:5"), "{ran:?}");
    folder.write("limit.h", "#define LIMIT 3\n");
    let words = ["verify", "main.c", "queue.c", "-Iinclude", "-include", "limit.h", "-std=c99"];
    assert_eq!(folder.run(&words).last_line(), "safe");
    let words = [&words[..], &["-U", "LIMIT"]].concat();
    assert_eq!(folder.run(&words).last_line(), "safe");
}

#[test]
fn databases_name_files_and_options() {
    let folder = program("database");
    std::fs::create_dir_all(folder.path().join("build")).unwrap();
    let other = "{\"directory\": \"..\", \"arguments\": [\"cc\", \"-c\", \"other.c\"], \"file\": \"other.c\"}";
    let own = "{\"directory\": \"..\", \"command\": \"cc -O2 -Iinclude -DLIMIT=3 -c main.c\", \"file\": \"main.c\"},
        {\"directory\": \"..\", \"arguments\": [\"cc\", \"-Iinclude\", \"-D\", \"LIMIT=3\"], \"file\": \"queue.c\"}";
    folder.write("other.c", "int main(void) { return 0; }");
    let database = "build/compile_commands.json";
    folder.write(database, format!("[{own}]"));
    let ran = folder.run(&["verify", "--project", database]);
    assert_eq!(ran.last_line(), "safe", "{ran:?}");
    folder.write(database, format!("[{own}, {other}]"));
    let ran = folder.run(&["verify", "--project", database]);
    assert!(
        ran.stderr.contains("redefinition of `main`")
            || ran.stderr.contains("`main` is defined twice"),
        "{ran:?}"
    );
    let ran = folder.run(&["verify", "--project", database, "main.c", "queue.c"]);
    assert_eq!(ran.last_line(), "safe", "{ran:?}");
    let ran = folder.run(&["verify", "--project", database, "third.c"]);
    assert!(ran.stderr.contains("has no entry for"), "{ran:?}");
    folder.write(database, "{}");
    let ran = folder.run(&["verify", "--project", database]);
    assert!(ran.stderr.contains("is no compilation database"), "{ran:?}");
}

#[test]
fn structures_of_different_files_are_one_type_or_not() {
    let folder = Folder::new("structures");
    folder.write(
        "a.c",
        "extern void reach_error(void);
        typedef struct { int x; struct { char c[2]; } in; } pair;
        struct own { int a; };
        enum color { RED, GREEN };
        static struct own mine = { 5 };
        int sum(pair *p);
        int main(void) {
            pair p = { 1, { { 2, 3 } } };
            if (sum(&p) != 6 || mine.a != 5 || GREEN != 1) reach_error();
            return 0;
        }",
    );
    folder.write(
        "b.c",
        "typedef struct { int x; struct { char c[2]; } in; } pair;
        struct own { char *b; struct own *next; };
        enum color { GREEN, RED };
        static struct own mine;
        int sum(pair *p) { mine.next = &mine; return p->x + p->in.c[0] + p->in.c[1] + GREEN; }",
    );
    let ran = folder.run(&["verify", "a.c", "b.c"]);
    assert_eq!(ran.last_line(), "safe", "{ran:?}");
    folder.write("c.c", "struct other { int x; }; int sum(struct other *p) { return p->x; }");
    let ran = folder.run(&["verify", "a.c", "c.c"]);
    assert_eq!(ran.status, 65, "{ran:?}");
    assert!(ran.stderr.contains("conflicting types for `sum`\n --> c.c:1:"), "{ran:?}");
    folder.write("d.c", "int main(void) { return 0; }");
    let ran = folder.run(&["verify", "a.c", "d.c"]);
    assert!(ran.stderr.contains("`main`"), "{ran:?}");
    let ran = folder.run(&["verify", "a.c", "x.cfa"]);
    assert_eq!(ran.status, 64, "{ran:?}");
}

/// What the headers have that a program asks for; of the others, a message says what to do.
#[test]
fn headers_that_there_are_not_are_named() {
    let folder = Folder::new("headers");
    folder.write("a.c", "#include <setjmp.h>\n#include <signal.h>\n#include <pthread.h>\n#include <fcntl.h>\n\
        #include <sys/stat.h>\n#include <assert.h>\nint main(void) { assert(O_RDWR == 2); return 0; }");
    assert_eq!(folder.run(&["verify", "a.c"]).last_line(), "safe");
    folder.write("b.c", "#include <device.h>\nint main(void) { return 0; }");
    let ran = folder.run(&["verify", "b.c"]);
    let is_told = ran.stderr.contains("the header `device.h` is not modelled");
    assert!(is_told && ran.stderr.contains("--> b.c:"), "{ran:?}");
    assert!(!ran.stderr.contains("No such file"), "{ran:?}");
}
