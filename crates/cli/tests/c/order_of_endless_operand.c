// expect: safe
// An assumption: operands are evaluated to their ends. If the right one came first, there would be an error.
extern void reach_error(void);
int endless(void) { while (1) ; return 0; }
int wrong(void) { reach_error(); return 0; }
int main(void) {
    return endless() + wrong();
}
