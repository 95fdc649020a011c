//! Which lines are one cause: those that go with the same thing. Whoever does without it saves what all of its lines cost, so the
//! threshold applies to their sum.

use crate::cost::SHARE_MIN;

/// Lines of the same thing, the costliest first, and things in the order of what they cost. Lines without a key are things of their own.
pub(crate) fn things<L, K: PartialEq>(
    lines: Vec<L>,
    key: impl Fn(&L) -> Option<K>,
    share: impl Fn(&L) -> f64,
) -> Vec<Vec<L>> {
    let mut things: Vec<(Option<K>, Vec<L>)> = Vec::new();
    for line in lines {
        let key = key(&line);
        match things.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
            Some((_, lines)) => lines.push(line),
            None => things.push((key, vec![line])),
        }
    }
    let mut things: Vec<Vec<L>> = things.into_iter().map(|(_, lines)| lines).collect();
    for lines in &mut things {
        lines.sort_by(|a, b| share(b).total_cmp(&share(a)));
    }
    things.sort_by(|a, b| sum(b, &share).total_cmp(&sum(a, &share)));
    things
}

/// Things that are each costly enough for a cause, and the others as one where they are that together; all as one where no other is.
pub(crate) fn costly<L>(things: Vec<Vec<L>>, share: impl Fn(&L) -> f64) -> Vec<Vec<L>> {
    let is_costly = |lines: &[L]| sum(lines, &share) >= SHARE_MIN;
    let (mut costly, cheap): (Vec<_>, Vec<_>) = things.into_iter().partition(|lines| is_costly(lines));
    let mut rest: Vec<L> = cheap.into_iter().flatten().collect();
    rest.sort_by(|a, b| share(b).total_cmp(&share(a)));
    if !rest.is_empty() && (costly.is_empty() || is_costly(&rest)) {
        costly.push(rest);
    }
    costly
}

/// What lines cost together.
pub(crate) fn sum<L>(lines: &[L], share: impl Fn(&L) -> f64) -> f64 {
    lines.iter().map(share).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A function, and what one of its lines costs, in per cent.
    type Line = (Option<u8>, u32);

    fn of_function(line: &Line) -> Option<u8> {
        line.0
    }

    fn share(line: &Line) -> f64 {
        f64::from(line.1) / 100.0
    }

    fn found(lines: &[Line]) -> Vec<Vec<u32>> {
        let things = costly(things(lines.to_vec(), of_function, share), share);
        let costs = |lines: &Vec<Line>| lines.iter().map(|(_, cost)| *cost).collect();
        things.iter().map(costs).collect()
    }

    #[test]
    fn cheap_lines_of_a_costly_thing_are_added() {
        assert_eq!(found(&[(Some(1), 2), (Some(1), 7), (Some(1), 3)]), [[7, 3, 2]]);
        // None is costly by itself.
        assert_eq!(found(&[(Some(1), 4), (Some(2), 1), (Some(1), 3)]), [[4, 3]]);
    }

    #[test]
    fn cheap_lines_of_other_things_are_not_added() {
        assert_eq!(found(&[(Some(1), 7), (Some(2), 4)]), [[7]]);
        assert_eq!(found(&[(None, 7), (None, 4)]), [[7]]);
        // Together they are as costly as another.
        assert_eq!(found(&[(Some(1), 7), (Some(2), 4), (None, 2)]), [vec![7], vec![4, 2]]);
        assert_eq!(found(&[(Some(1), 3), (Some(2), 4)]), [[4, 3]]);
    }

    proptest! {
        #[test]
        fn no_line_counts_twice_and_none_of_a_costly_thing_is_lost(
            lines in prop::collection::vec((prop::option::of(0..4_u8), 1..20_u32), 1..20),
        ) {
            let groups = things(lines.clone(), of_function, share);
            let kept: usize = groups.iter().map(Vec::len).sum();
            prop_assert_eq!(kept, lines.len());
            for cause in costly(groups, share) {
                let costs: Vec<u32> = cause.iter().map(|(_, cost)| *cost).collect();
                prop_assert!(costs.is_sorted_by(|a, b| a >= b));
                let Some((Some(function), _)) = cause.first() else { continue };
                let is_of = |line: &&Line| line.0 == Some(*function);
                let all = lines.iter().filter(is_of).count();
                prop_assert_eq!(cause.iter().filter(is_of).count(), all);
            }
        }
    }
}
