// expect: safe
#include <assert.h>

static char board[3][3] = { "XOX", "OXO", "X O" };

static char winner(void)
{
    for (int i = 0; i < 3; i++) {
        if (board[i][0] != ' ' && board[i][0] == board[i][1] && board[i][1] == board[i][2])
            return board[i][0];
        if (board[0][i] != ' ' && board[0][i] == board[1][i] && board[1][i] == board[2][i])
            return board[0][i];
    }
    if (board[0][2] == board[1][1] && board[1][1] == board[2][0])
        return board[1][1];
    return ' ';
}

int main(void)
{
    assert(winner() == 'X'); // or: assert(winner() == 'O');
    return 0;
}
