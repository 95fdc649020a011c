//! Where what is kept of each request of a scenario has its place.

/// How many requests of a scenario are kept apart at most.
pub const REQUESTS_APART_MAX: usize = 64;

/// How many agents of a fleet there are at most.
pub const AGENTS_MAX: usize = 1_000;

/// What of a tick something is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    All,
    /// A request of the scenario, by its place there; see [`apart`].
    Request(u16),
    /// An agent of a fleet, by its place.
    Agent(u16),
}

/// Where a request of a scenario is kept, by its place there. The last place is for all that have none of their own.
#[inline]
#[must_use]
pub fn apart(request: usize) -> usize {
    request.min(REQUESTS_APART_MAX - 1)
}

/// Merges what is kept of each request, place by place. Either side may know of fewer places.
pub fn merge_each<'a, T: Default + 'a>(
    mine: &mut Vec<T>,
    theirs: impl ExactSizeIterator<Item = &'a T>,
    merge: impl Fn(&mut T, &T),
) {
    mine.resize_with(mine.len().max(theirs.len()), T::default);
    mine.iter_mut()
        .zip(theirs)
        .for_each(|(mine, theirs)| merge(mine, theirs));
}
