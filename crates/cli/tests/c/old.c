// expect: safe
// Old C: no types, parameters declared later, functions that are not declared.
extern void reach_error();
counter;
add(a, b) int b; { return a + b; }
main() {
    counter = add(1, 2);
    if (counter != 3) reach_error();
    return 0;
}
