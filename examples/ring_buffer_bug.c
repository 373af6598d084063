// expect: unsafe
//
// The receive buffer of a serial line: an interrupt stores bytes, the main loop takes them out.
// One place stays free, to tell a full buffer from an empty one.
//
// The bug: the test for a full buffer does not wrap around. If `tail` is 0, `ring_put` also fills the
// last place. Then `head` equals `tail`, the buffer looks empty, and all its bytes are lost.

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { SIZE = 8 };

struct ring {
    uint8_t data[SIZE];
    uint8_t head; // where the next byte goes
    uint8_t tail; // where the oldest byte is
};

// The hardware. An undefined function may return any value.
extern bool uart_has_byte(void);
extern uint8_t uart_read(void);
extern bool main_loop_is_idle(void);

static struct ring rx;
static unsigned unread; // for the assertions only

static uint8_t after(uint8_t place)
{
    return place + 1 == SIZE ? 0 : place + 1;
}

static bool ring_put(struct ring *ring, uint8_t byte)
{
    if (ring->head + 1 == ring->tail)
        return false; // full
    ring->data[ring->head] = byte;
    ring->head = after(ring->head);
    return true;
}

static bool ring_get(struct ring *ring, uint8_t *byte)
{
    if (ring->head == ring->tail)
        return false; // empty
    *byte = ring->data[ring->tail];
    ring->tail = after(ring->tail);
    return true;
}

int main(void)
{
    uint8_t byte;
    for (;;) {
        if (uart_has_byte() && ring_put(&rx, uart_read()))
            unread++;
        if (main_loop_is_idle()) {
            if (ring_get(&rx, &byte))
                unread--;
            else
                assert(unread == 0); // an empty buffer has lost nothing
        }
    }
}
