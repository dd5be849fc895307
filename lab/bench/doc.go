// Package bench measures this machine, and what dowse does with it: the scenarios of
// lab bench. Each is a function that takes options and a Progress and returns a
// Report, JSON for programs and tables for people.
//
//   - Answers: how good answers to questions about notes are, by kind, and what is
//     declined; WriteLists writes the passages that a search finds for such
//     questions, as examples to train an answerer on.
//   - Ask: what a person waits for who asks one question from a shell, a whole
//     process, cold and beside the watcher.
//   - Contexts: what a person waits for who goes on with another conversation than the
//     last one, by dowse and by baselines, when memory does not hold the keys and
//     values of all; the first token after a restart.
//   - Embed: passages a second on each set of kernels.
//   - Extract: how fast files of each format give their text, and what memory that
//     takes, beside other programs; Indexing, how much longer indexing takes than
//     embedding the same passages.
//   - Generate: how fast a model reads and writes, what verifying drafts costs, and
//     how much faster it answers for them.
//   - Index: how many passages dowse's vector index embeds again for a recall, beside
//     a scan of stored vectors.
//   - Swap: how fast a model writes whose weights do not fit into memory, by each way,
//     within a control group.
//   - Rerank: what pruning a cross-encoder spares at which agreement with the full
//     pass.
//
// What is compared runs in one process, on the same input, and takes turns item by
// item, so that what else the machine does hits all of it: ratios hold, rates vary.
//
// # Judging answers
//
// An answer has one of the verdicts of Verdict: right, wrong or declined of a question
// that the notes answer, rightly declined or invented of another, and those said to be
// uncertain (Perhaps) apart. A right answer is one that all patterns of the question
// match. They are written for Python. What means another thing to RE2 is translated:
// classes of characters are of Unicode, {,n} is a repetition, \Z is the end. \b stays
// the end of a word in ASCII. Lookaround and references back cannot be read: what is
// answered to such a question is Unjudged, and an answer among its passages is not
// counted, while declining it is. Without patterns an answer is right that has the
// answer in short word for word, or one of the quotes where there is no such, white
// space and Markdown's marks aside; the same goes for an answer among the passages,
// and for a quote in what is shown.
//
// # Invariants
//
//   - The same input, model and options give the same counts: verdicts, recalls,
//     recomputed vectors, agreements, layers, tokens. Times differ.
//   - Nothing is measured on a query that chose a threshold.
//   - Calls of conversations, and what is evicted in which order, follow from the seed.
//   - Keys and values that a policy brings back are those that it was given, bit for
//     bit where they have 8 bits, or Contexts fails.
//   - Answers with drafts are those without, token for token, or Generate fails.
//
// # Caveats
//
// Ask has a home of its own: models are those of the defaults and nothing was
// calibrated. The page cache is warm: cold means a new process.
//
// Contexts computes keys and values once and gives them to every policy: neither the
// question nor the answer is computed anew, and "compute again" takes the time that it
// took then. Of dowse's switches that part is told apart, by the same times, which last
// tokens take that it leaves to be computed with the question. What baselines wait for
// a slow disk is counted; dowse, which works meanwhile, waits in earnest. Writing when
// memory is wanted counts all that dowse would have written ahead of time to the next
// switch. A restart is one within this process: model, memory and disk are opened anew.
//
// Extract has one core. Another program is a process for each file, as it runs; what
// starting it takes is told apart. It may give less of a file, or more: an archive's
// members, or a table as drawn. Indexing has its stages work beside each other, so that
// their times add up to more than the whole, and those of the embedder within it are
// those of what cores the others leave.
//
// Index embeds no passage during a search: it counts those that would be. Bytes are
// those of the index alone, without what tells where a passage lies in its file. Most
// queries are sentences of indexed passages, which are easier to find than questions.
//
// Rerank counts layers alike: the last one is computed for the first token alone after
// attention, so that a candidate that leaves before it saves less time than the count
// says. Times are of a pass from token ids to the ranking; tokenizing is left out.
package bench
