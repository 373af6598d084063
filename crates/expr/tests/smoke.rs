//! tmp
use lapidary_expr::*;
#[test]
fn smoke() {
    let mut scope = std::collections::BTreeMap::new();
    for (n, s) in [("x", Sort::Int), ("y", Sort::Int), ("p", Sort::Bool), ("b", Sort::Bv(8)), ("a", Sort::array(Sort::Int, Sort::Int))] { scope.insert(n.to_string(), Var::new(n, s)); }
    for t in ["(<= (+ x 1) (+ y 3))", "(not (< x 5))", "(< (* 2 x) 5)", "(= (* 2 x) 7)", "(and p (not p))", "(> x 5)", "(- x y 3)", "(= 5 x)", "(select (store (store a 1 2) 3 4) 1)", "(bvadd b #x00)", "(ite p x x)","(=> p (xor p true))", "(bvashr #x80 #x01)", "(mod (- 5) 3)", "(div (- 5) (- 3))", "(rem (- 5) 3)", "(bvsdiv #x80 #xff)","((_ rotate_left 3) #x81)", "(- (- x y) x)", "(distinct x y 3)"] {
        println!("{t} => {:?}", text::parse(t, &scope));
    }
}
