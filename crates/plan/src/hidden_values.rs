//! The values of a plan that no report may show.

use crate::print::is_secret;
use crate::{Plan, Span, Template, Values};

impl Plan {
    /// Every text that a header holds which says who one is, as far as it is the same in every request, and every value of a
    /// list that stands in such a header.
    #[must_use]
    pub fn hidden_values(&self) -> Vec<Vec<u8>> {
        let headers = self.scenario.requests.iter().flat_map(|request| &request.headers);
        let secret = headers.filter(|(name, _)| is_secret(name));
        secret.flat_map(|(_, value)| self.texts(value)).collect()
    }

    fn texts(&self, value: &Template) -> Vec<Vec<u8>> {
        let mut texts = Vec::new();
        for span in &value.spans {
            match span {
                // The words of it, so that the token of `Bearer TOKEN` is hidden also where it stands alone.
                Span::Literal(bytes) => {
                    texts.push(bytes.trim_ascii().to_vec());
                    let words = bytes.split(|byte| b" ;,=".contains(byte));
                    texts.extend(words.filter(|word| word.len() >= WORD_BYTES_MIN).map(<[u8]>::to_vec));
                }
                Span::Variable(index) => {
                    if let Some(Values::List(values)) =
                        self.scenario.variables.get(*index).map(|variable| &variable.values)
                    {
                        texts.extend(values.iter().map(|text| text.as_bytes().to_vec()));
                    }
                }
            }
        }
        texts
    }
}

/// A shorter word, such as `Bearer`, hides nothing but itself.
const WORD_BYTES_MIN: usize = 8;

#[cfg(test)]
mod tests {
    use crate::Plan;

    #[test]
    fn what_says_who_one_is_is_hidden() {
        let plan = Plan::parse(
            "target: http://h/\nscenario:\n  variables:\n    user: { values: [ann-secret, bob-secret] }\n  requests:\n    - path: /\n      \
             headers: { authorization: 'Bearer 0123456789', cookie: 'id=${user}', accept: text/html }\n",
            "plan.yaml",
        );
        let Ok(plan) = plan else { panic!("{plan:?}") };
        let hidden: Vec<String> = plan
            .hidden_values()
            .into_iter()
            .map(|value| String::from_utf8(value).expect("text"))
            .collect();
        assert_eq!(
            hidden,
            ["Bearer 0123456789", "0123456789", "id=", "ann-secret", "bob-secret"]
        );
    }
}
