// expect: safe
// A bit-field of type `_Bool` in a union is one bit, and not the byte where it starts.
void reach_error(void);
union u { struct { _Bool a : 1; _Bool b : 1; int c : 20; } f; int whole; } u;
int main(void) {
  u.f.b = 2;
  u.f.c = 9;
  if (u.f.a) reach_error();
  if (!u.f.b) reach_error();
  u.whole = 1;
  if (!u.f.a || u.f.b || u.f.c) reach_error();
  return 0;
}
