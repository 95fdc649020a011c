//! What a service is asked by: requests, or the messages that stand for them.

use plimsoll_findings::Findings;

/// A text of figures about requests, in the words of what the service was asked by.
pub(crate) fn asked(findings: &Findings, text: impl Into<String>) -> String {
    of_messages(findings.asks_by_messages(), text.into())
}

/// The same text of messages, where these are what the service is asked by.
pub(crate) fn of_messages(by_message: bool, text: String) -> String {
    if !by_message {
        return text;
    }
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(" ")
}

/// A whole word, and what follows it. Names of the service stay as they are.
fn word(word: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("request", "message"),
        ("requests", "messages"),
        ("Requests", "Messages"),
        ("request's", "message's"),
        ("req/s", "msg/s"),
    ];
    let end = word.trim_end_matches([',', ';', ':', '.']);
    let other = WORDS.iter().find(|(request, _)| *request == end);
    other.map_or_else(
        || word.to_owned(),
        |(_, message)| format!("{message}{}", &word[end.len()..]),
    )
}

#[cfg(test)]
mod tests {
    use super::of_messages;

    #[test]
    fn requests_are_called_messages_and_names_stay() {
        let text = "3 calls per request; 2 per 1,000 requests, a request's time, by http.request at request.js:1; Requests at 5 req/s";
        let expected = "3 calls per message; 2 per 1,000 messages, a message's time, by http.request at request.js:1; Messages at 5 msg/s";
        assert_eq!(of_messages(true, text.to_owned()), expected);
        assert_eq!(of_messages(false, text.to_owned()), text);
    }
}
