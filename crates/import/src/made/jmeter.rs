//! Functions of JMeter.

use super::dates::{JAVA, format, offset};
use super::{Call, Made, Part, SMALL_AND_DIGITS, numbers, text};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// As many as nobody counts.
const MANY: u64 = 1_000_000_000;

/// What a call such as `__Random(1,10,id)` stands for. What follows the arguments of a function is the variable that keeps its value.
pub(crate) fn jmeter(call: &str) -> Option<Call> {
    let (name, arguments) = match call.split_once('(') {
        Some((name, rest)) => (name, split(rest.strip_suffix(')')?)),
        None => (call, Vec::new()),
    };
    let at = |place: usize| arguments.get(place).map_or("", String::as_str);
    let keeping = |call: Call, place: usize| Call {
        keeps: Some(at(place).to_owned()).filter(|name| !name.is_empty()),
        ..call
    };
    Some(match name {
        "__UUID" => Made::Uuid.into(),
        "__Random" => {
            let (from, to) = numbers(at(0), at(1))?;
            keeping(Made::Number(from, to).into(), 2)
        }
        "__RandomString" => {
            let call = match at(1) {
                "" => Call::from(text(at(0), SMALL_AND_DIGITS)?)
                    .otherwise("JMeter takes any characters, the plan small letters and digits"),
                characters => text(at(0), characters)?.into(),
            };
            keeping(call, 2)
        }
        "__chooseRandom" => {
            let (keeps, texts) = arguments.split_last().filter(|(_, texts)| !texts.is_empty())?;
            Call {
                keeps: Some(keeps.clone()).filter(|name| !name.is_empty()),
                ..Made::OneOf(texts.to_vec()).into()
            }
        }
        "__time" => keeping(time(at(0), None)?, 1),
        // Of another time than now plans know nothing.
        "__timeShift" if at(1).is_empty() => {
            let offset = match at(2) {
                "" => None,
                shift => Some(offset(shift)?),
            };
            keeping(time(at(0), offset)?, 4)
        }
        "__counter" if at(0).eq_ignore_ascii_case("false") => {
            let call = Call {
                is_of_client: true,
                ..Made::Turn(1, MANY).into()
            };
            keeping(
                call.otherwise("each user of the plan has the next number, and keeps it on its journey"),
                1,
            )
        }
        "__urlencode" => {
            let encoded = utf8_percent_encode(at(0), NON_ALPHANUMERIC).to_string();
            vec![Part::Literal(encoded)].into()
        }
        "__env" if !at(0).is_empty() => vec![Part::Environment(at(0).to_owned())].into(),
        _ => return None,
    })
}

/// A time in a format of Java, or in one of the names that JMeter has for some.
fn time(written: &str, offset: Option<String>) -> Option<Call> {
    let format = match written {
        "" => "milliseconds".to_owned(),
        "/1000" => "seconds".to_owned(),
        "YMD" => "%Y%m%d".to_owned(),
        "HMS" => "%H%M%S".to_owned(),
        "YMDHMS" => "%Y%m%d-%H%M%S".to_owned(),
        written => format(written, &JAVA)?,
    };
    let call = Call::from(Made::Now(format, offset));
    Some(match written {
        "" | "/1000" => call,
        _ => call.otherwise("the plan has it in UTC"),
    })
}

/// Arguments between commas; one that is meant has a backslash in front.
fn split(text: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        let last = arguments.last_mut();
        match (c, last) {
            (',', _) => arguments.push(String::new()),
            ('\\', Some(last)) => last.extend(letters.next()),
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    arguments.iter().map(|argument| argument.trim().to_owned()).collect()
}
