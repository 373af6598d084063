//! Events survive being written and read; text that is none is refused.

use std::time::Duration;

use lapidary_cegar::Config;
use lapidary_cegar::abstraction::Exploration;
use lapidary_cegar::config::AXES;
use lapidary_engine::observer::Step;
use lapidary_engine::strategy::{SINGLE, Shape, single, stages};
use lapidary_engine::{Event, Observer, Stage, verify};
use lapidary_expr::fuzzing::Mutator;
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;

fn check(event: &Event) -> String {
    let text = event.to_string();
    assert!(!text.contains('\n'), "{text}");
    assert_eq!(text.parse().as_ref(), Ok(event), "{text}");
    text
}

/// One event of each kind.
fn events() -> Vec<Event> {
    let cpu = Duration::new(7, 90);
    let mut events = vec![
        Event::Turn { stage: 2, cpu },
        Event::Unrolled { depth: 3 },
        Event::Running { length: 1 << 40 },
        Event::Loop(Step::Explored { nodes: 4, explored: 3, result: Exploration::Safe }),
        Event::Loop(Step::Refined { length: 3, precision: 2, nodes: 4 }),
        Event::Diverging { length: 9 },
        Event::Validating,
        Event::Repeated,
    ];
    events.extend(stages(Shape::Program).into_iter().map(Event::Stage));
    events
}

#[test]
fn what_is_written_is_read_back() {
    let texts: Vec<String> = events().iter().map(check).collect();
    assert_eq!(texts[0], "turn stage 2 cpu 7.000000090");
    assert_eq!(texts[3], "explored nodes 4 explored 3 found safe");
    assert!(texts.iter().any(|text| text.starts_with("stage runs work ")), "{texts:#?}");
}

/// Also settings that have no effect, which a configuration line leaves out.
#[test]
fn stages_keep_every_axis() {
    for axis in AXES {
        for value in axis.values.iter().chain(&["7", "a b,c%d", "\u{a0}"]) {
            let mut config = Config::default();
            if !(axis.set)(&mut config, value) {
                continue;
            }
            let plain = single("plain", config).unwrap();
            check(&Event::Stage(Stage { notices_divergence: true, ..plain }));
            for name in SINGLE {
                let stage = single(name, config).unwrap();
                check(&Event::Stage(Stage { work: Some(5), ..stage }));
            }
        }
    }
}

/// Hears a run through the text form.
#[derive(Default)]
struct Heard(Vec<String>);

impl Observer for Heard {
    fn event(&mut self, event: &Event) {
        self.0.push(check(event));
    }
}

#[test]
fn the_events_of_a_run() {
    let text = "main process p { var x : int  init loc A  loc L  error loc E
        A -> L { x := 0 }  L -> L { assume x < 5  x := x + 1 }  L -> E { assume x = 5 } }";
    let cfa = lapidary_frontend::load("test.cfa", text).unwrap().model.into_cfa();
    let z3 = Z3::new(&Watch::default()).unwrap();
    let mut heard = Heard::default();
    let config: Config = Config::default();
    let _ = verify(&cfa, &config, &z3, &mut heard);
    assert!(heard.0.iter().any(|text| text.contains(" found unsafe ")), "{:#?}", heard.0);
    assert!(heard.0.iter().any(|text| text == "validating"), "{:#?}", heard.0);
}

#[test]
fn mistakes_have_a_place() {
    let check = |text: &str, expected: &str| {
        let error = text.parse::<Event>().unwrap_err().to_string();
        assert_eq!(error, expected, "{text}");
    };
    check("", "line 1, column 1: an event is expected after this line");
    check("begun", "line 1, column 1: `begun` is no event");
    check("validating 3", "line 1, column 12: the line is to end before `3`");
    check(
        "validating\nrepeated",
        "line 2, column 1: one event is expected, and this is another one",
    );
    check("stage fast with", "line 1, column 7: `fast` is no strategy");
    check(
        "stage plain with domain=all",
        "line 1, column 18: `domain=all` is no setting of a configuration",
    );
    check(
        "turn stage 1 cpu 3.5",
        "line 1, column 18: seconds with nine digits after the point are expected",
    );
}

#[test]
fn mutated_texts_are_read_or_refused() {
    const ODD: [&str; 8] = ["%", "=", "\n", "|", "(", "99999999999999999999", "\u{fc}", "stage"];
    let mut mutator = Mutator::default();
    for event in events() {
        let text = event.to_string();
        for _ in 0..500 {
            if let Ok(event) = mutator.mutate(&text, &ODD).parse::<Event>() {
                check(&event);
            }
        }
    }
}
