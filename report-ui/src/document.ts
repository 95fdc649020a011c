// Written by scripts/types.js from crates/report/assets/document.schema.json.

/** What a page says. */
export interface Document {
  /** Name of the page, for tabs and bookmarks. */
  title: string;
  /** What was tested, when and for how long. */
  subject: Subject;
  /** What it comes to. */
  result: Outcome;
  /** What the reader should know besides; before the figures, because it may weaken them. */
  notices: Notices | null;
  /** Everything else. */
  content: Block[];
  /** The last line. */
  foot: string;
  /** The verdicts that charts show, by their codes. */
  verdicts: Record<string, Badge>;
}

/** What was tested. */
export interface Subject {
  /** Name of the plan. */
  name: string;
  /** Address of the service, where the name does not begin with it. */
  target: string | null;
  /** The command, when it began, how long it took. */
  facts: string[];
}

/** The verdict, the result as a heading, its facts, and what to do next. */
export interface Outcome {
  /** The verdict. */
  verdict: Badge;
  /** What is not certain of it. */
  note: string | null;
  /** The result. */
  heading: Heading;
  /** What belongs to it. */
  facts: Fact[];
  /** What to do next. */
  next: Fact;
}

/** What the reader should know besides. */
export interface Notices {
  /** The heading. */
  title: string;
  /** Each of them. */
  notices: Noticed[];
}

/** A part of the page. */
export type Block =
  | ({ kind: 'section' } & Section)
  | ({ kind: 'columns' } & Columns)
  | ({ kind: 'folded' } & Folded)
  | ({ kind: 'table' } & Table)
  | ({ kind: 'facts' } & Facts)
  | ({ kind: 'glance' } & Glance)
  | ({ kind: 'legend' } & Legend)
  | ({ kind: 'chart' } & ChartPlace)
  | ({ kind: 'flame' } & FlameKey)
  | ({ kind: 'causes' } & Causes)
  | ({ kind: 'listing' } & ListingText)
  | ({ kind: 'heading' } & Text)
  | ({ kind: 'paragraph' } & Text);

/** A verdict: a mark and a word. */
export interface Badge {
  /** Chooses the mark and its colour. */
  tone: Tone;
  /** The word. */
  text: string;
}

/** A result as a heading. */
export type Heading =
  | { kind: 'sentence'; text: string }
  | { kind: 'figure'; name: string; figure: string; unit: string };

/** A name and what it stands for. */
export interface Fact {
  /** The name. */
  name: string;
  /** What it stands for. */
  value: Cell;
}

/** A notice and what to do about it. */
export interface Noticed {
  /** One sentence without its end; code stands between backticks. */
  text: string;
  /** What to do about it. */
  hint: Labelled | null;
}

/** A section: its heading, a sentence that says what it shows, and its content. */
export interface Section {
  /** Its anchor. */
  id: string;
  /** Its heading. */
  title: string;
  /** What it shows. */
  lead: string;
  /** What it holds. */
  content: Block[];
}

/** Blocks side by side where there is room. */
export interface Columns {
  /** How wide they are. */
  widths: Widths;
  /** What they hold. */
  content: Block[];
}

/** Blocks that are folded away. */
export interface Folded {
  /** Its anchor. */
  id: string;
  /** What is folded away. */
  summary: string;
  /** The blocks. */
  content: Block[];
}

/** A table. The first cell of a row names it. */
export interface Table {
  /** What a screen reader calls it. */
  label: string;
  /** Its columns. */
  columns: Column[];
  /** Its rows, each with a cell for each column. */
  rows: Cell[][];
  /** On a phone its rows become cards; others scroll there. */
  cards: boolean;
}

/** Names and what they stand for. */
export interface Facts {
  /** How they are laid out. */
  layout: Layout;
  /** Each of them. */
  facts: Fact[];
}

/** The figures that one looks for first. */
export interface Glance {
  /** What they are, for screen readers. */
  label: string;
  /** Where they were taken. */
  taken_at: string;
  /** Each of them. */
  figures: GlanceFigure[];
}

/** What the marks of a chart mean. */
export interface Legend {
  /** Marks of verdicts. */
  marks: Badge[];
  /** What is said of the line through all panels, where there is one. */
  line: string | null;
}

/** The place of a chart. */
export interface ChartPlace {
  /** Which chart. */
  name: ChartName;
}

/** The place of the call tree. */
export interface FlameKey {
  /** What its colours mean: the class of code, and its name. */
  classes: FlameClass[];
}

/** The causes of a diagnosis, the most promising first. */
export interface Causes {
  /** Each of them. */
  causes: CauseText[];
}

/** A function with the time of its lines. */
export interface ListingText {
  /** File, line and name. */
  title: string;
  /** What it costs. */
  costs: string;
  /** Heads of the time, of the number of the line, and of its text, for screen readers. */
  heads: string[];
  /** The lines. */
  lines: ListingLine[];
}

/** A text of its own. */
export interface Text {
  /** The text. */
  text: string;
}

/** How something fared; each renderer has its own mark and colour for it. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'unknown';

/** What stands in a table or beside a name. */
export type Cell = string | Badge | Noted;

/** A sentence behind a word that says what it is. */
export interface Labelled {
  /** The word. */
  label: string;
  /** The sentence; code stands between backticks. */
  text: string;
}

/** How wide blocks side by side are. */
export type Widths = 'equal' | 'chart_and_table';

/** A column of a table. */
export interface Column {
  /** Its head. */
  head: string;
  /** The head is for screen readers alone. */
  unseen: boolean;
  /** It holds figures, so it is aligned by their last digits. */
  figures: boolean;
}

/** How names and what they stand for are laid out. */
export type Layout = 'figures' | 'lines' | 'terms';

/** A figure that one looks for first. */
export interface GlanceFigure {
  /** What it is. */
  name: string;
  /** The figure; its unit follows a space. */
  figure: string;
  /** What it is part of. */
  note: string | null;
}

/** The charts there are. */
export type ChartName = 'load-line' | 'curve' | 'timeline' | 'changes' | 'scaling';

/** A class of code in the call tree. */
export interface FlameClass {
  /** As calls name it. */
  class: string;
  /** In words. */
  text: string;
}

/** A cause in words; code stands between backticks. */
export interface CauseText {
  /** What it is. */
  title: string;
  /** The line of code, behind the word that leads to it. */
  place: Labelled | null;
  /** What it costs and what that rests on. */
  facts: Labelled[];
  /** What to do about it. */
  remedy: Labelled;
  /** Where it is explained. */
  more: string;
}

/** A line of a function. */
export interface ListingLine {
  /** Its time; empty where it took none. */
  time: string;
  /** Its number. */
  line: string;
  /** Its text. */
  text: string;
  /** Its time as a share of that of the costliest line, 0 to 1. */
  heat: number;
  /** Lines before it are left out. */
  after_gap: boolean;
}

/** A text with small print. */
export interface Noted {
  /** The text. */
  text: string;
  /** It is something that stands in a plan or a program. */
  code: boolean;
  /** The small print. */
  notes: string[];
}
