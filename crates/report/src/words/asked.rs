//! What a service is asked by: requests, or the messages that stand for them.

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
    let end = word.trim_end_matches([',', ';', ':', '.']);
    let after = &word[end.len()..];
    match end {
        "request" => format!("message{after}"),
        "requests" => format!("messages{after}"),
        "request's" => format!("message's{after}"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_messages;

    #[test]
    fn requests_are_called_messages_and_names_stay() {
        let text = "3 calls per request; 2 per 1,000 requests, a request's time, by http.request at request.js:1";
        let expected = "3 calls per message; 2 per 1,000 messages, a message's time, by http.request at request.js:1";
        assert_eq!(of_messages(true, text.to_owned()), expected);
        assert_eq!(of_messages(false, text.to_owned()), text);
    }
}
