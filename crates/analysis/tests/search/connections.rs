//! A search in connections, each of which asks at a known rate: it finds the room of the service, or where its CPU ends.

use crate::even;
use crate::lab::{Case, cpu};
use plimsoll_analysis::Ending;
use plimsoll_findings::Quantity;
use plimsoll_plan::{Level, SearchUnit};

fn in_connections(mut case: Case, start: u32) -> Case {
    case.search.unit = SearchUnit::Connections;
    case.search.start = Level::whole(start);
    case
}

#[test]
fn a_service_that_refuses_more_has_its_line_at_its_room() {
    let (case, line) = even();
    for (seed, room) in [(1, 100), (2, 137), (3, 12)] {
        assert!(f64::from(room) < line, "its CPU would end first");
        let mut case = in_connections(case.clone(), 8);
        case.room = room;
        let searched = case.search(seed);
        let result = &searched.result;
        assert_eq!(result.ending, Ending::Converged, "{room}: {result:?}");
        let findings = searched.fold.findings();
        let line = findings.load_line.expect("a line was found");
        let held = line.held.expect("in connections");
        let near = f64::from(room) * 0.93..=f64::from(room);
        assert!(near.contains(&(held.connections as f64)), "{room}: {held:?}");
        assert!(
            held.failed.is_some_and(|failed| failed > room.into()),
            "{room}: {held:?}"
        );
        assert_eq!(line.broke.map(|broke| broke.quantity), Some(Quantity::Held));
    }
}

#[test]
fn a_service_with_room_has_its_line_where_its_cpu_ends() {
    let (case, line) = even();
    let mut case = in_connections(case, 20);
    case.each_per_s = 20.0;
    case.objectives = vec![cpu(80)];
    let findings = case.search(1).fold.findings();
    let found = findings.load_line.expect("a line was found");
    assert_eq!(found.broke.map(|broke| broke.quantity), Some(Quantity::Cpu));
    let held = found.held.expect("in connections").connections as f64;
    assert!((line * 0.94..line).contains(&(held * 20.0)), "{held} of {line}");
}
