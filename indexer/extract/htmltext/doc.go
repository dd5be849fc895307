// Package htmltext reads the text of a page of HTML, and of a chapter of an e-book.
//
//	text, lines := htmltext.Read("<h1>Roof</h1><p>Ask <b>Ann</b>.")
//	// "# Roof\n\nAsk Ann.\n"
//
// Headings, lists and code are written as in Markdown; navigation, scripts and forms
// are left out. A page is read by a tokenizer without building a tree, so that time
// and memory are linear in its size however it is nested. Markup that is broken
// badly may lose its headings, but not its words.
package htmltext
