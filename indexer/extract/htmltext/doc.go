// Package htmltext reads the text of a page of HTML, and of a chapter of an e-book.
//
//	text, lines := htmltext.Read("<h1>Roof</h1><p>Ask <b>Ann</b>.")
//	// "# Roof\n\nAsk Ann.\n"
//
// Headings, lists and code are written as in Markdown, rows of tables whose columns are named
// as document.Builder writes them ("Item: desk; Cost: 30"); navigation, scripts and forms are
// left out, and what a page says where a program cannot show a video. What it says where an object cannot be shown
// is the text of that. A page is read by a tokenizer without building a tree, so that time
// and memory are linear in its size however it is nested. Markup that is broken
// badly may lose its headings, but not its words.
package htmltext
