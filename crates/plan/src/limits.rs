//! Every bound of a plan in one place. They are far above what people write, and keep a file that nobody
//! wrote from costing more than a sentence.

/// Bytes of a plan's text.
pub const FILE_BYTES: usize = 1 << 20;
/// Steps of a plan, those inside of others counted too.
pub const STEPS: usize = 500;
/// How deep steps may stand inside of each other.
pub const NESTING: usize = 8;
/// The highest bound of a loop, and the most rows that it can go over.
pub const LOOP_PASSES: u32 = 10_000;
/// Retries of one step.
pub const RETRIES: u32 = 20;
/// Characters of a text: an intent, a question, an address.
pub const TEXT: usize = 4_000;
/// Characters of a name.
pub const NAME: usize = 80;
/// Entries of a list: predicates, gates, fields, values, columns.
pub const LIST: usize = 200;
/// Nodes of one condition, and how deep it may be.
pub const CONDITION_NODES: usize = 50;
pub const CONDITION_DEPTH: usize = 8;
/// Bytes of one JSON Schema.
pub const SCHEMA_BYTES: usize = 100_000;
/// Problems that are told at once.
pub const PROBLEMS: usize = 100;
/// Rows of one collected table.
pub const TABLE_ROWS: usize = 100_000;
/// Bytes of one extracted value, as JSON.
pub const EXTRACT_BYTES: usize = 4 << 20;
/// Moves that a machine makes between two pieces of work: enough for the most rows with dozens of choices to each of
/// them. Loops whose bodies find nothing to do end here.
pub const IDLE_MOVES: u32 = 2_000_000;
/// Moves that it makes in one go. Conditions and data may be large, and whoever runs the plan lets others have the
/// thread in between.
pub const MOVES_AT_ONCE: u32 = 16;
/// Characters of a text after its `{{…}}` were filled in.
pub const FILLED_TEXT: usize = 20_000;
/// Characters of one piece of data in a sentence to a brain or a person.
pub const DATA_IN_SENTENCE: usize = 500;
