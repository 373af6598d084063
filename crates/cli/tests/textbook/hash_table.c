// expect: unknown: unsupported
#include <assert.h>
#include <string.h>

#define SLOTS 8

struct entry {
    char key[8];
    int value;
    int used;
};

static struct entry table[SLOTS];

static unsigned hash(const char *key)
{
    unsigned h = 5381;
    while (*key)
        h = h * 33 + (unsigned char)*key++;
    return h % SLOTS;
}

static void put(const char *key, int value)
{
    unsigned slot = hash(key);
    while (table[slot].used && strcmp(table[slot].key, key) != 0)
        slot = (slot + 1) % SLOTS;
    strcpy(table[slot].key, key);
    table[slot].value = value;
    table[slot].used = 1;
}

static int get(const char *key)
{
    unsigned slot = hash(key);
    while (table[slot].used) {
        if (strcmp(table[slot].key, key) == 0)
            return table[slot].value;
        slot = (slot + 1) % SLOTS;
    }
    return -1;
}

int main(void)
{
    put("one", 1);
    put("two", 2);
    put("one", 11);
    assert(get("one") == 11); // and not: assert(get("one") == 1);
    assert(get("two") == 2);
    assert(get("six") == -1);
    return 0;
}
