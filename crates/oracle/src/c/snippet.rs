//! Statements and expressions for what the grammar of the generator does not reach: each is a text with holes.
//!
//! `$` stands for an integer expression, the last one of a statement for the place that takes the result. `T1` and `T2` stand for integer types,
//! `S0` for a structure without unions and `F1` for a function from `int` to `int`.

use super::construct::Construct;
use super::generator::Generator;
use super::tree::effect::Effect;
use super::tree::{Kind, Node};
use super::types::Ty;

const STATEMENTS: &[(Construct, &str)] = &[
    (
        Construct::ArrayOfArrays,
        "T1 q[2][2] = { { $, $ }, { $ } };\nq[$ & 1][$ & 1] += 3;\n$ ^= q[0][0] + q[0][1] * 3 + q[1][0] * 5;\n",
    ),
    (
        Construct::ArrayOfArrays,
        "T1 q[2][4] = { { 1 }, { $, [3] = $ } };\nT1 (*qp)[4] = q;\nqp++;\n(*qp)[$ & 3] = 7;\n$ += q[1][0] + q[1][3];\n",
    ),
    (
        Construct::ArrayOfStructures,
        "S0 q[2] = { { .last = $ }, { .last = 2 } };\nS0 *qp = q;\nqp[$ & 1].last += $;\n(++qp)->last ^= 1;\n$ = q[0].last - q[1].last * 2;\n",
    ),
    (
        Construct::ArrayOfStructures,
        "struct { T1 a; struct { T2 b, c[2]; } d[2]; } q = { $, { { $, { 1, 2 } }, { .c = { 3, $ } } } };\nq.d[$ & 1].c[$ & 1] += 5;\n$ += q.a + q.d[0].c[1] + q.d[1].c[1] + q.d[1].b;\n",
    ),
    (
        Construct::PointerMember,
        "struct node { T1 v; struct node *next; } qa = { $, 0 }, qb = { $, &qa }, qc = { 3, &qb };\nint qs = 0;\nfor (struct node *qp = $ & 1 ? &qc : &qb; qp; qp = qp->next) qs = qs * 3 + qp->v;\n$ ^= qs;\n",
    ),
    (
        Construct::PointerMember,
        "T1 qx = $, qy = 2;\nstruct { int a; T1 *p[2]; } q = { 1, { &qx, &qy } }, qq;\nqq = q;\n*qq.p[$ & 1] += 3;\n$ += qx * 2 + qy;\n",
    ),
    (
        Construct::FunctionPointer,
        "int (*qt[2])(int) = { F1, F2 };\nint qv = qt[$ & 1]($ & 7);\n$ ^= qv;\n",
    ),
    (
        Construct::String,
        "char q[] = \"ab\\377\\n\", qq[6] = \"xy\";\nq[$ & 3] += 1;\nint qv = q[$ & 3] * 3 + qq[1] + qq[$ & 3] + (int) sizeof q;\n$ ^= qv;\n",
    ),
    (
        Construct::String,
        "const char *qp = $ & 1 ? \"hello\" : \"wo\";\nint qn = 0;\nwhile (*qp++) qn++;\n$ += qn;\n",
    ),
    (
        Construct::JumpIntoLoop,
        "int qk = 0;\nT1 q = 1;\nswitch ($ & 3) {\ndo {\ncase 0: q += 3;\ncase 1: q ^= $;\nbreak;\ndefault: q++;\n} while (qk++ < 1);\n}\n$ += q;\n",
    ),
    (
        Construct::JumpIntoLoop,
        "int qk = 2;\nT1 q = $;\nif ($ & 1) goto l@;\nwhile (qk-- > 0) {\nq += 2;\nl@: q ^= 5;\n}\n$ ^= q + qk;\n",
    ),
    (
        Construct::CaseRange,
        "T1 q = 0;\nswitch ((int) (T2) $) {\ncase -4 ... 2: q += 1;\ncase 100: q += $; break;\ncase 3 ... 9: q = 6;\n}\n$ += q;\n",
    ),
    (
        Construct::PointerArithmetic,
        "T1 q[4] = { $, $, 3, 4 }, *qp = q;\n*qp++ += 2;\n*++qp = $;\nqp[-1] ^= 1;\nint qd = qp - q;\n$ ^= q[0] + q[1] * 3 + q[2] * 5 + qd + *--qp;\n",
    ),
    (
        Construct::PointerArithmetic,
        "T1 q[4] = { 1, $, 3 }, *qp = q + 4, **qq = &qp;\nint qs = 0;\nwhile (qp != q) qs = qs * 3 + *--*qq;\n$ += qs;\n",
    ),
    (
        Construct::VariableLength,
        "int qn = ($ & 1) + 2;\nT1 q[qn];\nfor (int qi = 0; qi < qn; qi++) q[qi] = qi + $;\n$ ^= q[qn - 1] + (int) sizeof q;\n",
    ),
    (
        Construct::StructureValue,
        "S0 q = { .last = $ };\nS0 *qp = &q, qq = *qp;\nqq.last++;\n*qp = ($ & 1) ? qq : q;\n$ ^= q.last;\n",
    ),
    (
        Construct::GotoForward,
        "T1 q = $;\n{\nT2 q = 3;\nq += $;\nif (q & 1) goto l@;\n}\nq++;\nl@: ;\n$ ^= q;\n",
    ),
    (
        Construct::Array,
        "static const T1 q[4] = { 1, -2, 300, 70000 };\nint qv = q[$ & 3] + q[2];\n$ += qv;\n",
    ),
    (
        Construct::BitField,
        "struct { int a : 3; unsigned b : 5; unsigned long long c : 40; } q = { $, $, $ };\nq.a += 3;\nq.b--;\nint qv = (q.a = 5) + (q.b += 7) + (int) sizeof q + (int) q.c;\n$ ^= qv;\n",
    ),
    (
        Construct::Union,
        "union { T1 a; unsigned char c[8]; } q = { $ };\n$ ^= q.c[0] + q.c[sizeof q.a - 1] * 3;\n",
    ),
    (
        Construct::Union,
        "struct { T1 a; union { unsigned b; unsigned short c; }; struct { int d : 5; unsigned e : 5; }; } q = { .a = $, .b = $ };\nq.d = $;\nq.e = q.d;\nq.c += 3;\n$ ^= q.a + (int) q.b + q.d * 3 + (q.e > -1);\n",
    ),
    (
        Construct::PointerArithmetic,
        "typedef T1 qt[3];\nqt q = { [1] = $, $ };\nqt *qp = &q;\n(*qp)[0] = $;\n$ += q[0] + q[1] * 2 + q[2] * 3 + (int) sizeof *qp;\n",
    ),
    (
        Construct::Jump,
        "int qi = 0, qs = 0;\ndo {\nif (qi == 1) continue;\nqs += $ + qi;\n} while (++qi < 3);\n$ ^= qs;\n",
    ),
    (
        Construct::Jump,
        "int qs = 0;\nfor (int qi = 0; qi < 3; qi++) {\nswitch (qi) {\ncase 1: if ($ & 1) continue; else break;\ncase 2: switch ((int) ($ & 1)) { case 0: qs += 5; break; default: qs ^= 9; }\ndefault: qs++;\n}\nqs *= 2;\n}\n$ += qs;\n",
    ),
    (
        Construct::Switch,
        "T1 q = 0;\nswitch ((long long) $ << 32) {\ncase 0: q = 1; break;\ncase 1LL << 32: q = 2; break;\ncase -(1LL << 33): q = 3;\n}\n$ += q;\n",
    ),
    (
        Construct::Pointer,
        "T1 q = $, *qp = $ & 1 ? &q : 0;\n_Bool qb = qp;\nif (qp) *qp += 2;\n$ ^= q + qb * 4 + !qp;\n",
    ),
    (
        Construct::PointerArithmetic,
        "T1 q[3] = { 1, $, 3 };\nT1 *qp = &q[2];\nqp[-1] += $;\n$ += qp[-2] + *(qp - 1) + 1[q];\n",
    ),
    (
        Construct::ArrayOfStructures,
        "static const struct { char n[3]; T1 v; } q[2] = { { \"ab\", 5 }, { .v = -3 } };\nint qv = q[$ & 1].v + q[$ & 1].n[0];\n$ ^= qv;\n",
    ),
    (
        Construct::Enum,
        "enum { QA = 3, QB = QA << 2, QC = -1 } q = $ & 1 ? QB : QC;\n$ += q < 0 ? QA : q;\n",
    ),
    (
        Construct::Comma,
        "int qs = 0;\nfor (int qi = 0, qj = 3; qi < qj; qi++, qj--) qs += qi * 3 + qj + (int) ($ & 1);\n$ ^= qs;\n",
    ),
    (
        Construct::Union,
        "union { int i; unsigned u; short s[2]; } q, qq;\nq.i = $;\nqq = q;\nqq.s[1] ^= 3;\n$ ^= (int) (qq.u >> 3);\n",
    ),
    (
        Construct::Pointer,
        "T1 qa = $, qb = 7, *q = &qa, *qq = &qb, *qt;\nif ($ & 1) { qt = q; q = qq; qq = qt; }\n*q += 1;\n*qq *= 2;\n$ += qa * 3 + qb;\n",
    ),
    (
        Construct::GotoForward,
        "int qi, qj = 0, qs = 0;\nfor (qi = 0; qi < 2; qi++)\nfor (qj = 0; qj < 2; qj++) {\nif (qi + qj == ($ & 3)) goto l@;\nqs += 1;\n}\nl@: $ += qs * 4 + qi * 2 + qj;\n",
    ),
    (
        Construct::Shift,
        "unsigned long long q = (unsigned long long) $ << 40 | (T1) $;\nq = (q >> 33) ^ (q << 3);\n$ ^= (int) (q >> 7);\n",
    ),
    (
        Construct::VariableLength,
        "int qn = ($ & 3) + 1;\nT1 q[qn], *qp = q;\nq[0] = 4;\nfor (int qi = 1; qi < qn; qi++) q[qi] = q[qi - 1] + $;\n$ += qp[qn - 1];\n",
    ),
    (
        Construct::CaseRange,
        "unsigned q = 1;\nswitch ($ & 15) {\ncase 0 ... 3: q++;\ncase 4: q *= 3;\nbreak;\ncase 8 ... 11: q += $;\ndefault: q ^= 6;\n}\n$ ^= q;\n",
    ),
];

const EXPRESSIONS: &[(Construct, &str)] = &[
    (Construct::StatementExpression, "({ T1 q = $; q += $; q; })"),
    (Construct::StatementExpression, "({ T1 q = $; if (q) q--; else q = $; (T2) q; })"),
    (Construct::CompoundLiteral, "((struct { T1 a; T2 b; }) { $, $ }).b"),
    (Construct::CompoundLiteral, "((T1 [2]) { $, $ })[1]"),
    (Construct::CompoundLiteral, "(*(T1 *) &(T1) { $ })"),
    (Construct::Conditional, "($ ?: $)"),
    (Construct::Sizeof, "(int) sizeof(($) + (T1) 1)"),
    (Construct::Sizeof, "(int) sizeof(T1 [3])"),
    (Construct::Sizeof, "(int) (sizeof((T1) 1 << (T2) 1) + sizeof 'a' + sizeof \"abc\")"),
    (Construct::String, "\"ab\\377d\"[$ & 3]"),
    (Construct::Cast, "((T1) ($) < (T2) ($))"),
    (Construct::Cast, "((_Bool) ($ & 2) + (_Bool) 0.5f + (T1) 3.99f + (T1) (int) -2.5)"),
    (Construct::Cast, "(0 ? (T1) 1 : (T2) $)"),
    (Construct::Typeof, "((__typeof__((T1) 1 + (T2) 1)) $ >> 1)"),
    (Construct::Cast, "((T1) $ == (T2) $)"),
    (Construct::Cast, "(-(T1) $ < 0)"),
    (Construct::Cast, "(~(T1) $ & 0x1ff)"),
    (Construct::Cast, "((T1) -1 < (T2) 1)"),
    (Construct::Cast, "(!(T1) $ + !!$)"),
    (Construct::Shift, "((unsigned char) $ << 24 >> 24)"),
    (Construct::Shift, "(int) ((T1) $ * (T2) $ >> 3)"),
    (Construct::Conditional, "((1 ? -1 : 0u) > $)"),
    (Construct::Sizeof, "(sizeof(int) - 5 > (T1) $)"),
    (Construct::Cast, "((long) $ < (unsigned) $)"),
    (Construct::Typeof, "({ __typeof__((T1) 1 ? (T1) 1 : (T2) 1) q = $; q / 2; })"),
];

impl Generator<'_> {
    /// A block that ends with a change of some variable.
    pub fn snippet(&mut self) -> Option<Node> {
        let (construct, text) = *self.random.pick(STATEMENTS);
        let label = self.fresh();
        let text = self.filled(text)?.replace("l@", &format!("l{label}"));
        let place = self.int_target();
        let n_holes = text.matches('$').count();
        let mut parts: Vec<Node> = (1..n_holes).map(|_| self.int(1)).collect();
        let regions = place.regions.clone();
        // A field wider than `int` has no type of its own to calculate with.
        let text = match place.width {
            Some(width) if width > 32 => replaced_operator(&text),
            _ => text,
        };
        let target = Node { kind: Kind::Fixed, ..place.node };
        parts.push(target.with(&Effect::reads(&regions)));
        // One order for all parts would be too much to claim.
        let node = Node::new(Kind::Stmt, format!("{{\n{text}}}\n"), parts);
        let mut node = node.with(&Effect::writes(&regions)).mark(construct);
        if text.contains("@f") || text.contains("@r") {
            for function in self.functions.iter().filter(|function| function.is_plain()) {
                node.effect.join(&function.effect);
                node.is_open |= function.is_open;
            }
        }
        Some(node)
    }

    /// An expression of a kind that the grammar has not.
    pub fn small_snippet(&mut self, depth: usize) -> Option<Node> {
        let (construct, text) = *self.random.pick(EXPRESSIONS);
        let text = self.filled(text)?;
        let parts = (0..text.matches('$').count()).map(|_| self.int(depth)).collect();
        Some(Node::int(text, parts).mark(construct))
    }

    fn filled(&mut self, text: &str) -> Option<String> {
        let mut text = text.to_string();
        for name in ["T1", "T2"] {
            text = text.replace(name, Ty::any_int(self.random).name());
        }
        if text.contains("S0") {
            let structures: Vec<&str> = self
                .aggregates
                .iter()
                .filter(|aggregate| !aggregate.has_union)
                .map(|aggregate| &aggregate.name[..])
                .collect();
            let name = (!structures.is_empty()).then(|| *self.random.pick(&structures))?;
            text = text.replace("S0", name);
        }
        if text.contains("F1") {
            let plain: Vec<&str> = self
                .functions
                .iter()
                .filter(|function| function.is_plain())
                .map(|function| &function.name[..])
                .collect();
            let (first, last) = (*plain.first()?, *plain.last()?);
            text = text.replace("F1", first).replace("F2", last);
        }
        Some(text)
    }
}

/// Assigns where the text calculates.
fn replaced_operator(text: &str) -> String {
    text.replace("$ ^= ", "$ = ").replace("$ += ", "$ = ")
}
