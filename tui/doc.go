// Package tui is the full-screen face of dowse: a query line, results while
// one types, a preview of the file around the chosen passage, and panels that
// show what the machine is doing. Run starts it; everything else is private.
//
// # Basics
//
// The package sees the rest of dowse only through Source: searches, and the
// conversations about them. It is one Bubble Tea program:
//
//	key, mouse, resize ──> Update ──> new state ──> View (pure)
//	                         │
//	                         └─> commands: Search, Preview, Status, Subscribe
//	                                │
//	   messages.go  <───────────────┘   (results come back as messages)
//
// The root model is the only tea.Model. Its parts (answerPane, resultList,
// previewPane, conversationPane, conversationList, progressLine, machinePanel with
// its rerankMap, helpOverlay) are plain structs: methods change them, Render(width, height) draws them, and none of them knows the others.
// computeLayout turns a terminal size into rectangles once per change; keys
// live in keys.go, colours in styles.go.
//
// A query is asked twice. Each keystroke asks for an estimate, which takes
// milliseconds; when the keys rest, the same query is asked for the final
// ranking, which is reranked where there is a reranker. While that goes on,
// layer by layer, layerFeed brings what each layer found out: the list is put
// in the order known so far, and the machine panel draws its map. The answer
// replaces both.
//
// Below the last passage that is on the topic of the query stands a line. Only the
// final ranking tells what is on the topic, so that no line flickers while keys come.
//
// An answer is asked for by a key, as one more search of the same query: its
// results are those that the answer cites by number. They come before its first
// word, and answerFeed brings the words as they are written. Going to a citation
// chooses its passage and brings the cited lines into the preview, and opening it
// then opens these lines. An answer that is uncertain says so in a line of its own and
// in the rule below it, and its words are muted. What a model was guessed to write, and wrote, is shaded.
//
// The chosen passage may be followed: the passages that are like it take the place of
// the results, below a line that says like what, and may be followed in turn. What a
// step covers is kept as it was left, and esc brings it back, one step at a time. What
// was not final then, or is from before the index changed, is asked for again. A key
// that changes the query leaves the trail.
//
// A conversation takes the place of the search, which is kept as it was left. Its turns
// stand below each other: question, answer, places. What is typed is the next question,
// and nothing is searched for before enter asks it; the turns stay in sight meanwhile. A
// place may be chosen, previewed, opened and followed as a result may. No question begins
// a conversation of its own accord: a key keeps the one in sight under a name, or a name
// is typed in the list of conversations. Whoever looks at a conversation in the list for
// a while, opens it or begins to type in it will ask soon, and its keys and values are
// loaded ahead.
//
// The filter under the cursor is completed. What it is, engine.TypingAt tells at once; its
// values are asked for, and only the request of the newest line counts. One key stands
// behind the cursor, several suggestions below the line, over the first rows of the body, so
// that nothing moves. Tab takes them while they are there, and shows the preview otherwise;
// it waits for those that are on their way. Enter and the arrows mean results, always.
//
// A row says what its document says of itself, as far as there is room: the title where it
// says more than the name of the file, and before the text who wrote it, when, and the tags.
// All of it stands above the preview.
//
// The query line is lent to what else is typed, a question, a name or a filter of the
// list, and given back: query is what it searches for, line what stands there.
//
// Enter opens text in the editor, at its line, and everything else in a viewer ($DOWSE_VIEWER,
// a known viewer that can go to the page of a PDF, what the desktop has). What lies in a file
// within a file, such as an attachment, is opened as a copy, which Options.OpenPart writes.
//
// Passages that repeat a better one are folded: the row of that one counts them, and a
// key shows them below it. Numbers in the list are ranks, folded passages included, so
// that an answer's numbers mean what they meant.
//
// # Invariants
//
//   - Update does no input or output. Whatever may take longer than a frame is
//     a command, and a command never touches the model.
//   - Every search carries a generation. A keystroke cancels the search before
//     it and raises the generation; an answer of an older generation is
//     dropped, and so are its layers.
//   - Layers move what is on the screen only where that is the estimate of the
//     same query and nobody has moved the cursor in it: whoever reads is not
//     disturbed before the answer. The chosen passage stays chosen. However
//     fast layers end, the screen follows every redrawEvery.
//   - After the index changed, the same query is asked again and the chosen
//     passage stays chosen, found again by its chunk and else by its lines.
//   - Below an answer the results stand still, also when the index changes: its
//     numbers mean them. A key that changes the query takes the answer away and
//     ends it if it is still being written.
//   - Text of files, file names, and messages passes sanitize (or
//     sanitizeMarked) before it is measured or drawn. No control character, no
//     bidirectional override and no invalid UTF-8 reaches the terminal.
//   - Widths are terminal cells as x/ansi counts them. Styled text is cut by
//     x/ansi, plain text at grapheme borders, neither by bytes.
//   - View depends on the state alone: no clock, no environment. Rows that are
//     costly to draw are cached under everything that they depend on.
//
// # Caveats
//
// Emoji joined by U+200D are drawn apart, and variation selectors are dropped,
// because terminals disagree about the width of such clusters. Mouse reporting
// takes the terminal's own text selection away; most terminals give it back
// while shift is held.
package tui
