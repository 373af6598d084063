// expect: unsafe
extern void reach_error(void);
extern int rand(void);
int main(void) {
    if (rand() % 6 == 3 && rand() % 6 == 5) reach_error();
    return 0;
}
