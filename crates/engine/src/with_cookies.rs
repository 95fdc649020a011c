//! A request with the cookies of a user.

use plimsoll_plan::{Piece, Request, Template};

/// A request with the cookies of a user, unless the plan says which it has.
pub(crate) fn add_cookies(request: &Request, variable: usize) -> Request {
    const COOKIE: &str = "cookie";
    let mut request = request.clone();
    if !request
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case(COOKIE))
    {
        let cookies = Template::of([Piece::Variable(variable)]);
        request.headers.push((COOKIE.to_owned(), cookies));
    }
    request
}
