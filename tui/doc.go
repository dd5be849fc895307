// Package tui is the full-screen face of dowse: a query line, results while one
// types, a preview around the chosen passage, and panels of what the machine
// does. Run starts it. It sees the rest of dowse through Source alone.
//
// It is one Bubble Tea program, whose frames painter draws:
//
//	key, mouse, resize ──> Update ──> new state ──> View (pure)
//	                         └─> commands: Search, Preview, Status, Subscribe
//	   messages.go  <───────────────┘   (results come back as messages)
//
// model is the only tea.Model. Its parts (answerPane, resultList, previewPane,
// conversationPane, conversationList, folderList, modelList, progressLine,
// machinePanel, rerankMap, helpOverlay) are plain structs that do not know each other: methods change
// them, Render(width, height) draws them. computeLayout turns a terminal size
// into rectangles; keys live in keys.go, colours in styles.go. Package rich
// knows what Markdown and code mean, package tty reads keys whole.
//
// A query is asked twice: each keystroke asks for an estimate, which takes
// milliseconds, and resting keys for the final ranking. Meanwhile layerFeed
// brings the reranker's layers, which reorder the list, and answerFeed the text
// of an answer. Only the final ranking draws the line of relevance.
//
// What covers the search gives it back as it was left: a trail of similar
// passages (related.go), a conversation (conversation.go), the lists of
// conversations, folders and models, which a chooser scrolls. They borrow the query line, as an errand does (errand.go),
// such as naming a saved search (saved.go): query is what it searches for, line
// what stands there. Picks (picks.go) outlast queries.
// The machine panel draws what the engine measured; explain.go says what it means.
//
// # A new key
//
// Give it a binding in keys.go, where the help finds it, and an action in
// input.go, or in the part whose keys it is among.
//
// # Invariants
//
//   - Update does no input or output. Whatever may outlast a frame is a command,
//     and commands never touch the model.
//   - Every search has a generation. A keystroke cancels the search before it;
//     answers and layers of older generations are dropped.
//   - Layers move results only in the estimate of the same query, while the
//     person has not moved in it. The chosen passage stays chosen.
//   - When the index changes, the query is asked again; the chosen passage is
//     found by its chunk, or else its lines. Below an answer the results stand
//     still, since its numbers mean them.
//   - Letters that arrive in one read are text, also where they spell a key.
//   - Text of files, file names and messages pass sanitize before they are
//     measured or drawn: no control character, bidirectional override or invalid
//     UTF-8 reaches the terminal.
//   - Widths are terminal cells as x/ansi counts them. Text is cut at graphemes.
//   - View depends on the state alone: no clock, no environment. Costly rows are
//     cached under all that they depend on.
//
// # Caveats
//
// Emoji joined by U+200D are drawn apart and variation selectors dropped, since
// terminals disagree about their width. Mouse reporting disables the terminal's
// own selection; most terminals give it back while shift is held.
package tui
