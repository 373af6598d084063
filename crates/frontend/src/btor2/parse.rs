//! Reading: a line at a time, each checked against what came before.

use lapidary_expr::UBig;
use rustc_hash::FxHashMap;

use super::line::{Line, Parsed, Word};
use super::{Kind, Mark, Model, Node, Operator, Ref, Sort};
use crate::source::{ParseError, SourceFile};

/// Vectors are at most this wide, so that no short text asks for gigabytes.
const MAX_WIDTH: u32 = 1 << 16;

/// Reads a model.
pub fn parse(source: &SourceFile) -> Result<Model, ParseError> {
    let model = Model {
        name: source.name().into(),
        nodes: Vec::new(),
        bads: Vec::new(),
        constraints: Vec::new(),
        outputs: Vec::new(),
    };
    let mut parser = Parser { model, sorts: FxHashMap::default(), nodes: FxHashMap::default() };
    let mut start = 0;
    for text in source.text().split_inclusive('\n') {
        if let Some(line) = Line::new(source, start..start + text.len()) {
            parser.line(line).map_err(|error| *error)?;
        }
        start += text.len();
    }
    Ok(parser.model)
}

struct Parser {
    model: Model,
    /// Sorts and nodes by their number in the file.
    sorts: FxHashMap<u32, Sort>,
    nodes: FxHashMap<u32, usize>,
}

impl Parser {
    fn line(&mut self, mut line: Line<'_>) -> Parsed<()> {
        let (id, word) = line.number("the number of a node")?;
        if self.sorts.contains_key(&id) || self.nodes.contains_key(&id) {
            return Err(line.error(word, format!("the number {id} is used twice")));
        }
        let keyword = line.word("what the node is")?;
        match keyword.text {
            "sort" => {
                let sort = self.new_sort(&mut line)?;
                line.symbol()?;
                self.sorts.insert(id, sort);
            }
            "init" | "next" => self.value_of_state(&mut line, keyword)?,
            "bad" | "constraint" | "output" => self.mark(&mut line, word, keyword)?,
            "fair" | "justice" => {
                let error = line.source.error(keyword.span(), "liveness is not supported");
                return Err(error.with_help("only safety properties (`bad`) are verified").into());
            }
            _ => {
                let node = self.node(&mut line, keyword)?;
                self.nodes.insert(id, self.model.nodes.len());
                self.model.nodes.push(node);
            }
        }
        Ok(())
    }

    fn new_sort(&self, line: &mut Line<'_>) -> Parsed<Sort> {
        let kind = line.word("`bitvec` or `array`")?;
        match kind.text {
            "bitvec" => {
                let (width, word) = line.number("the number of bits")?;
                match width {
                    0 => Err(line.error(word, "a vector has at least one bit")),
                    width if width > MAX_WIDTH => Err(too_wide(line, word)),
                    width => Ok(Sort::Bits(width)),
                }
            }
            "array" => Ok(Sort::Array(self.width(line)?, self.width(line)?)),
            other => {
                Err(line.error(kind, format!("expected `bitvec` or `array`, found `{other}`")))
            }
        }
    }

    /// The width of a sort that must be one of vectors.
    fn width(&self, line: &mut Line<'_>) -> Parsed<u32> {
        let (sort, word) = self.sort(line)?;
        match sort {
            Sort::Bits(width) => Ok(width),
            Sort::Array(..) => Err(line.error(word, "arrays of arrays are not part of the format")),
        }
    }

    fn sort<'s>(&self, line: &mut Line<'s>) -> Parsed<(Sort, Word<'s>)> {
        let (id, word) = line.number("the number of a sort")?;
        match self.sorts.get(&id) {
            Some(sort) => Ok((*sort, word)),
            None => Err(line.error(word, format!("{id} is no sort"))),
        }
    }

    fn operand<'s>(&self, line: &mut Line<'s>) -> Parsed<(Ref, Word<'s>)> {
        let word = line.word("the number of a node")?;
        let (digits, is_negated) = match word.text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (word.text, false),
        };
        let node = digits.parse::<u32>().ok().and_then(|id| self.nodes.get(&id).copied());
        let Some(node) = node else {
            return Err(line.error(word, format!("`{digits}` is no node with a value so far")));
        };
        if is_negated && matches!(self.model.nodes[node].sort, Sort::Array(..)) {
            return Err(line.error(word, "an array cannot be negated"));
        }
        Ok((Ref { node, is_negated }, word))
    }

    fn sort_of(&self, operand: Ref) -> Sort {
        self.model.nodes[operand.node].sort
    }

    /// `init` and `next`.
    fn value_of_state(&mut self, line: &mut Line<'_>, keyword: Word<'_>) -> Parsed<()> {
        let (sort, sort_word) = self.sort(line)?;
        let (state, state_word) = self.operand(line)?;
        let (value, value_word) = self.operand(line)?;
        line.symbol()?;
        let (own, found) = (self.sort_of(state), self.sort_of(value));
        if own != sort {
            return Err(line.error(sort_word, "this is not the sort of the state"));
        }
        let is_init = keyword.text == "init";
        let fills = matches!((own, found), (Sort::Array(_, element), Sort::Bits(width)) if element == width);
        if own != found && !(is_init && fills) {
            return Err(line.error(value_word, "the value has another sort than the state"));
        }
        if is_init && value.node >= state.node {
            let message = "an initial value depends on nodes before its state only";
            return Err(line.error(value_word, message));
        }
        match &mut self.model.nodes[state.node].kind {
            Kind::State { init, next } if !state.is_negated => {
                let slot = if is_init { init } else { next };
                if slot.is_some() {
                    let message = format!("the state has an `{}` already", keyword.text);
                    return Err(line.error(state_word, message));
                }
                *slot = Some(value);
                Ok(())
            }
            _ => Err(line.error(state_word, format!("`{}` is no state", state_word.text))),
        }
    }

    /// `bad`, `constraint` and `output`.
    fn mark(&mut self, line: &mut Line<'_>, start: Word<'_>, keyword: Word<'_>) -> Parsed<()> {
        let (value, word) = self.operand(line)?;
        let symbol = line.symbol()?;
        let position = line.source.position(start.start);
        let is_bit = self.sort_of(value) == Sort::Bits(1);
        let list = match keyword.text {
            "output" => &mut self.model.outputs,
            _ if !is_bit => return Err(line.error(word, "this is no vector of one bit")),
            "bad" => &mut self.model.bads,
            _ => &mut self.model.constraints,
        };
        list.push(Mark { value, symbol, position });
        Ok(())
    }

    fn node(&self, line: &mut Line<'_>, keyword: Word<'_>) -> Parsed<Node> {
        let is_known = Operator::plain(keyword.text).is_some()
            || matches!(
                keyword.text,
                "input"
                    | "state"
                    | "zero"
                    | "one"
                    | "ones"
                    | "const"
                    | "constd"
                    | "consth"
                    | "sext"
                    | "uext"
                    | "slice"
            );
        if !is_known {
            return Err(line.error(keyword, format!("`{}` is no part of the format", keyword.text)));
        }
        let (sort, sort_word) = self.sort(line)?;
        let kind = match keyword.text {
            "input" => Kind::Input,
            "state" => Kind::State { init: None, next: None },
            "zero" | "one" | "ones" | "const" | "constd" | "consth" => {
                Kind::Const(constant(line, keyword, sort, sort_word)?)
            }
            _ => self.application(line, keyword, sort, sort_word)?,
        };
        Ok(Node { sort, kind, symbol: line.symbol()? })
    }

    fn application(
        &self,
        line: &mut Line<'_>,
        keyword: Word<'_>,
        sort: Sort,
        sort_word: Word<'_>,
    ) -> Parsed<Kind> {
        let arity = Operator::plain(keyword.text).map_or(1, Operator::arity);
        let mut operands = Vec::with_capacity(arity);
        for _ in 0..arity {
            operands.push(self.operand(line)?.0);
        }
        let operator = match keyword.text {
            "sext" => Operator::Sext(line.number("the number of bits")?.0),
            "uext" => Operator::Uext(line.number("the number of bits")?.0),
            "slice" => {
                Operator::Slice(line.number("the highest bit")?.0, line.number("the lowest bit")?.0)
            }
            name => Operator::plain(name).ok_or_else(|| line.error(keyword, "no operator"))?,
        };
        let sorts: Vec<Sort> = operands.iter().map(|operand| self.sort_of(*operand)).collect();
        match operator.result(&sorts) {
            None => {
                let message = format!("`{}` cannot be applied to {}", keyword.text, list(&sorts));
                Err(line.error(keyword, message))
            }
            Some(Sort::Bits(width)) if width > MAX_WIDTH => Err(too_wide(line, keyword)),
            Some(result) if result != sort => {
                let message = format!("the result is of sort {}, not {}", name(result), name(sort));
                Err(line.error(sort_word, message))
            }
            Some(_) => Ok(Kind::Apply(operator, operands)),
        }
    }
}

fn constant(
    line: &mut Line<'_>,
    keyword: Word<'_>,
    sort: Sort,
    sort_word: Word<'_>,
) -> Parsed<UBig> {
    let Sort::Bits(width) = sort else {
        return Err(line.error(sort_word, "a constant is a vector, not an array"));
    };
    let ones = (UBig::ONE << width as usize) - UBig::ONE;
    let radix = match keyword.text {
        "zero" => return Ok(UBig::ZERO),
        "one" => return Ok(UBig::ONE),
        "ones" => return Ok(ones),
        "const" => 2,
        "constd" => 10,
        _ => 16,
    };
    let word = line.word("the value")?;
    let (digits, is_negative) = match word.text.strip_prefix('-') {
        Some(digits) if radix == 10 => (digits, true),
        _ => (word.text, false),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let value = UBig::from_str_radix(digits, radix).ok().filter(|_| is_number);
    let Some(value) = value else {
        return Err(line.error(word, format!("`{}` is no number in base {radix}", word.text)));
    };
    let largest = if is_negative { UBig::ONE << (width as usize - 1) } else { ones.clone() };
    match value <= largest {
        false => Err(line.error(word, format!("the value does not fit into {width} bits"))),
        true if is_negative => {
            Ok(((ones + UBig::ONE) - value) & ((UBig::ONE << width as usize) - UBig::ONE))
        }
        true => Ok(value),
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "every result here carries it boxed")]
fn too_wide(line: &Line<'_>, word: Word<'_>) -> Box<ParseError> {
    line.error(word, format!("vectors of more than {MAX_WIDTH} bits are not supported"))
}

/// A sort in a message.
fn name(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("bitvec {width}"),
        Sort::Array(index, element) => format!("array of bitvec {index} to bitvec {element}"),
    }
}

fn list(sorts: &[Sort]) -> String {
    sorts.iter().map(|sort| name(*sort)).collect::<Vec<_>>().join(", ")
}
