// expect: unsafe
// Only the number of arguments is known not to be negative.
extern void reach_error(void);
int main(int count, int second) {
    if (second < 0) reach_error();
    return count;
}
