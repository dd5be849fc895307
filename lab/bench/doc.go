// Package bench measures this machine, and what dowse does with it: the scenarios of
// lab bench. Each takes options and a Progress and returns a Report, JSON for programs
// and tables for people:
//
//   - Answers: how good answers to questions about notes are, by kind, and what is
//     declined; WriteLists writes examples to train an answerer on.
//   - Ask: one question from a shell, a whole process, cold and beside the watcher.
//   - Contexts: the next token of a conversation that was left, beside computing it again.
//   - Embed: passages a second on each set of kernels.
//   - Extract: how fast files of each format give their text, and in what memory,
//     beside other programs.
//   - Generate: how fast a model reads and writes, what verifying drafts costs, and
//     how much faster it answers for them.
//   - Index: how much longer indexing takes than embedding the same passages.
//   - Screen: how soon a program on a terminal draws what is typed, and what it costs
//     while nothing is.
//   - Swap: how fast a model writes whose weights do not fit into memory, by each way,
//     within a control group.
//
// What is compared runs on the same input and takes turns item by item (turns, race), so
// that what else the machine does hits all of it: ratios hold, rates vary. What was
// decided by a scenario that is gone stands in docs/measurements.md.
//
// # Judging answers
//
// A right answer is one that all patterns of the question match. They are written for
// Python. What means another thing to RE2 is translated: classes of characters are of
// Unicode, {,n} is a repetition, \Z is the end; \b stays the end of a word in ASCII.
// Lookaround and references back cannot be read: the answer to such a question is
// unjudged, and one among its passages is not counted, while declining it is. Without
// patterns an answer is right that has the answer in short word for word, or one of the
// quotes where there is no such, white space and Markdown's marks aside; the same goes
// for an answer among the passages, and for a quote in what is shown.
//
// # Invariants
//
//   - The same input, model and options give the same counts: verdicts, recomputed
//     vectors, layers, tokens. Times differ.
//   - Answers with drafts are those without, token for token, or Generate fails.
//   - Ways that leave no weights out write the same tokens, or Swap fails.
//
// # Caveats
//
// The page cache is warm: cold means a new process. Ask has a home of its own, where
// models are the defaults and nothing was calibrated. Extract has one core, and another
// program is a process for each file; it may give less of a file, or more. The stages of
// Index work beside each other, so that their times add up to more than the whole.
package bench
