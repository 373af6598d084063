; A counter that starts at 0 and is increased twice cannot be above 5. The interpolants say what to know
; about it after each step.
(set-logic QF_LIA)
(declare-fun x_0 () Int)
(declare-fun x_1 () Int)
(declare-fun x_2 () Int)
(define-fun step ((x Int) (y Int)) Bool (= y (+ x 1)))
(assert (! (= x_0 0) :named start))
(assert (! (step x_0 x_1) :named first))
(assert (! (step x_1 x_2) :named second))
(assert (! (> x_2 5) :named claim))
(check-sat)
(get-interpolants start first second claim)
(exit)
