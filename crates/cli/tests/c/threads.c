// expect: unknown: unsupported: threads
// Another thread may change what this one reads.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int pthread_create(void *, void *, void *(*)(void *), void *);
void *run(void *p) { return p; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    long id;
    pthread_create(&id, 0, run, 0);
    if (x == 3) reach_error();
    return 0;
}
