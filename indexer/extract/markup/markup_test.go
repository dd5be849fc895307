package markup_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"
)

// check compares a text, and the places and lines of words in it, "word": "place 3" or "word": "line 3".
func check(t *testing.T, d *document.Document, want string, at map[string]string, lines map[string]int) {
	t.Helper()
	if d.Text != want {
		t.Errorf("read\n%s\nwant\n%s", d.Text, want)
	}
	for word, place := range at {
		if got := document.Label(d.Place(strings.Index(d.Text, word))); got != place {
			t.Errorf("%q is of %q, want %q", word, got, place)
		}
	}
	for word, line := range lines {
		if got := d.Line(strings.Index(d.Text, word)); got != line {
			t.Errorf("%q is of line %d, want %d", word, got, line)
		}
	}
}

const notebook = `{"cells": [
 {"cell_type": "markdown", "source": ["# Roof\n", "\n", "![x](data:image/png;base64,AAAA/+==) It leaks."]},
 {"cell_type": "code", "source": "print(1)", "outputs": [{"output_type": "stream", "text": ["1\n"]},
  {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": ["<Figure>"]}}, {"output_type": "error", "ename": "ValueError", "evalue": "no roof"}]},
 {"cell_type": "raw", "source": []}, {"cell_type": "raw", "source": "The end"}],
 "metadata": {"title": "Costs", "authors": [{"name": "Ann"}], "language_info": {"name": "python"}}, "nbformat": 4}`

func TestNotebook(t *testing.T) {
	d := testextract.Read(t, "a.ipynb", notebook)
	check(t, d, "# Roof\n\n![x]() It leaks.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```\n\n```\nValueError: no roof\n```\n\nThe end",
		map[string]string{"leaks": "cell 1", "print": "cell 2", "Figure": "cell 2", "The end": "cell 4"}, nil)
	if d.Meta.Title != "Costs" || !slices.Equal(d.Meta.Authors, []string{"Ann"}) {
		t.Errorf("%+v", d.Meta)
	}
	if d := testextract.Read(t, "a.ipynb", "{\"cells\": ["); d.Kind != document.Code {
		t.Errorf("half a notebook is %s", d.Kind)
	}
}

const orgFile = `#+TITLE: House
#+AUTHOR: Ann
#+DATE: <2026-01-05 Mon>
#+FILETAGS: :home:
#+STARTUP: overview
# a comment
* TODO [#A] Roof [[https://example.org][offer]] :urgent:roof:
:PROPERTIES:
:ID: 123
:END:
It leaks[fn:1] near
the [[chimney]].

- [X] tiles
  - red ones
1. beams

| Item | Cost |
|------+------|
| desk |   30 |
| lamp |   12 |

#+BEGIN_SRC python
# code
print(1)
#+END_SRC
#+begin_quote
All is lost.
#+end_quote
** Last
`

func TestOrg(t *testing.T) {
	d := testextract.Read(t, "a.org", orgFile)
	check(t, d, "# House\n\n# TODO Roof offer\n\nIt leaks near\nthe chimney.\n\n- tiles\n  - red ones\n- beams\nItem: desk; Cost: 30\nItem: lamp; Cost: 12\n\n"+
		"```python\n# code\nprint(1)\n```\n\nAll is lost.\n\n## Last", nil,
		map[string]int{"# House": 1, "TODO": 7, "leaks": 11, "tiles": 14, "red": 15, "desk": 20, "lamp": 21, "print": 24, "lost": 28, "Last": 30})
	m := d.Meta
	if m.Title != "House" || !slices.Equal(m.Authors, []string{"Ann"}) || !slices.Equal(m.Tags, []string{"home"}) || !slices.Equal(d.Entries[0].Meta.Tags, []string{"home", "urgent", "roof"}) || !m.Date.Equal(time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", m)
	}
}

const texFile = `\documentclass[a4paper]{article}
\title{The \emph{old} house}
\author{Ann Lee \and Bob}
% \section{Not this}
\newcommand{\x}{y}
\begin{document}
\maketitle
\section[short]{Roof \& beams}\label{sec:roof}
It leaks~\cite{ann} by 5\% % of what
% a comment
near the \textbf{chim\-ney}, in K\"oln, caf\'{e}, stra\ss e --- ` + "``so''" + `\footnote{Since 1990.}

Then $a_1 = \frac{b}{c}$ holds.
\begin{equation}
E = mc^2 % stays
\end{equation}
\begin{itemize}
\item tiles,
  red
\item[b] beams
\end{itemize}
\begin{tabular}{l|r}
\hline
Item & Cost \\
desk & 30 \\ \hline
\end{tabular}
\begin{verbatim}
\section{code}
\end{verbatim} after
\input{other}
\subsection*{Last}
\end{document}
not read
`

func TestLaTeX(t *testing.T) {
	d := testextract.Read(t, "a.tex", texFile)
	check(t, d, "# The old house\n\n## Roof & beams\n\nIt leaks by 5%\nnear the chimney, in Köln, café, straße — \"so\" Since 1990.\n\nThen $a_1 = \\frac{b}{c}$ holds.\n\n"+
		"```latex\nE = mc^2 % stays\n```\n\n- tiles, red\n- b beams\nItem; Cost\nItem: desk; Cost: 30\n\n```\n\\section{code}\n```\n\nafter\n\n### Last", nil,
		map[string]int{"## Roof": 8, "leaks": 8, "Then": 13, "mc^2": 14, "tiles": 18, "- b": 20, "desk": 25, "{code}": 27, "after": 29, "Last": 31})
	if d.Meta.Title != "The old house" || !slices.Equal(d.Meta.Authors, []string{"Ann Lee", "Bob"}) {
		t.Errorf("%+v", d.Meta)
	}
	if d := testextract.Read(t, "part.tex", "\\section{One}\nwords\n"); d.Text != "## One\n\nwords" {
		t.Errorf("%q", d.Text)
	}
}

// An environment, a heading or the end of the document may begin in the middle of a line.
func TestLinesOfLaTeX(t *testing.T) {
	for source, want := range map[string]string{
		`Before\begin{abstract}Pumps.\end{abstract}\section{Pond}Deep.`:                             "Before\n\nPumps.\n\n## Pond\n\nDeep.",
		`See:\begin{itemize}\item one\item two\end{itemize}after`:                                   "See:\n\n- one\n- two\n\nafter",
		`a\begin{tabular}{ll}Item&Cost\\` + "\n" + `desk&30\end{tabular}b`:                          "a\n\nItem; Cost\nItem: desk; Cost: 30\n\nb",
		`x\begin{verbatim}\begin{y}\end{verbatim}z`:                                                 "x\n\n```\n\\begin{y}\n```\n\nz",
		`with \verb|\begin{verbatim}| in it`:                                                        "with |verbatim| in it",
		`\documentclass{article}\title{Of` + "\npumps}\\begin{document}Deep.\\end{document}no more": "# Of pumps\n\nDeep.",
	} {
		if d := testextract.Read(t, "a.tex", source); d.Text != want {
			t.Errorf("%s\n got  %q\n want %q", source, d.Text, want)
		}
	}
}

func TestSubtitles(t *testing.T) {
	srt := "\ufeff1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>The roof</i> leaks\r\n\r\n2\r\n00:00:03,500 --> 00:00:05,000\r\n{\\an8}near the chimney.\r\n\r\n"
	for range 12 {
		srt += "3\r\n01:02:03,000 --> 01:02:05,000\r\nWords " + strings.Repeat("again and ", 4) + "again.\r\n\r\nx\r\n00:00:09,000 --> 00:00:10,000\r\nMore.\r\n\r\n"
	}
	d := testextract.Read(t, "a.srt", srt)
	if !strings.HasPrefix(d.Text, "The roof leaks near the chimney. Words again") || strings.Count(d.Text, "\n\n") < 1 || strings.Contains(d.Text, "-->") {
		t.Errorf("%q", d.Text)
	}
	check(t, d, d.Text, map[string]string{"chimney": "time 00:00:01"}, map[string]int{"chimney": 2})
	if got := document.Label(d.Place(len(d.Text))); got != "time 00:00:09" && got != "time 01:02:03" {
		t.Errorf("the last is of %s", got)
	}
	vtt := "WEBVTT\n\nNOTE made by hand\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>It leaks &amp; hails\n\n00:02.000 --> 00:03.000\nIt leaks & hails\nagain.\n"
	check(t, testextract.Read(t, "a.vtt", vtt), "It leaks & hails again.", map[string]string{"It": "time 00:00:01"}, nil)
	if d := testextract.Read(t, "b.srt", "no subtitles"); d.Kind != document.Text {
		t.Errorf("a text is %s", d.Kind)
	}
}

func TestBookmarks(t *testing.T) {
	d := testextract.Read(t, "bookmarks.html", `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
 <DT><H3 ADD_DATE="1">House &amp; roof</H3>
 <DL><p>
  <DT><A HREF="https://example.org/a?b=1&amp;c" TAGS="roof, tiles" ICON="data:image/png;base64,AAAA">Offer
   of tiles</A>
  <DD>cheap ones
  <DT><A HREF="place:x">Recent</A>
 </DL><p>
 <DT><A HREF="http://example.org/">Last</A>
</DL>
`)
	check(t, d, "# Bookmarks Menu\n\n## House & roof\n\n- Offer of tiles (https://example.org/a?b=1&c)\n\ncheap ones\n\n- Last (http://example.org/)", nil,
		map[string]int{"House": 5, "Offer": 8, "Last": 12})
	if !slices.Equal(d.Entries[0].Meta.Tags, []string{"roof", "tiles"}) {
		t.Errorf("%+v", d.Entries)
	}
}

const telegram = `{"name": "House", "type": "personal_chat", "id": 1, "messages": [
 {"id": 1, "type": "service", "date": "2026-01-05T10:00:00", "actor": "Ann", "action": "x", "text": ""},
 {"id": 2, "type": "message", "date": "2026-01-05T10:05:00", "from": "Ann", "text": "The roof leaks"},
 {"id": 3, "type": "message", "date": "2026-01-06T11:00:00", "from": "Bob", "text": ["see ", {"type": "link", "text": "https://example.org"}, "!"]}]}`

const slack = `[{"type": "message", "user": "U1", "text": "The roof &amp; <https://example.org|the offer> <@U2>", "ts": "1767607500.0002", "user_profile": {"real_name": "Ann"}},
 {"type": "message", "user": "U2", "text": "I come", "ts": "1767700000.1"}, {"type": "other"}]`

const whatsApp = "\u200e[05/01/26, 10:05:00] Ann: The roof leaks\r\nnear the chimney\r\n[13/01/26, 9:00:01\u202fPM] Bob: I come: soon\r\n[13/01/26, 21:01:00] \u200eBob left\r\n"

func TestChats(t *testing.T) {
	for _, c := range []struct{ name, data, want, place string }{
		{"result.json", telegram, "# House\n\n## 2026-01-05\n\n- Ann 10:05: The roof leaks\n\n## 2026-01-06\n\n- Bob 11:00: see https://example.org!", "message 1 (Ann)"},
		{"2026-01-05.json", slack, "## 2026-01-05\n\n- Ann 10:05: The roof & the offer U2\n\n## 2026-01-06\n\n- U2 11:46: I come", "message 1 (Ann)"},
		{"_chat.txt", whatsApp, "## 2026-01-05\n\n- Ann 10:05: The roof leaks near the chimney\n\n## 2026-01-13\n\n- Bob 9:00 pm: I come: soon\n- 21:01: Bob left", "message 1 (Ann)"},
		{"c.txt", "1/13/26, 10:05 PM - Ann: The roof\n1/14/26, 1:00 AM - Bob: x\n", "## 2026-01-13\n\n- Ann 10:05 pm: The roof\n\n## 2026-01-14\n\n- Bob 1:00 am: x", "message 1 (Ann)"},
	} {
		d := testextract.Read(t, c.name, c.data)
		check(t, d, c.want, map[string]string{"The roof": c.place}, nil)
		if d.Format != "chat" || !slices.Equal(d.Entries[0].Meta.Authors, []string{"Ann"}) || d.Meta.Date.IsZero() {
			t.Errorf("%s: %s %+v", c.name, d.Format, d.Meta)
		}
	}
	check(t, testextract.Read(t, "_chat.txt", whatsApp), testextract.Read(t, "_chat.txt", whatsApp).Text, nil, map[string]int{"Ann": 1, "Bob 9": 3, "Bob left": 4})
	for name, data := range map[string]string{"a.json": `{"type": "x", "messages": "y", "date": 1}`, "note.txt": "05/01/26 we met\n"} {
		if d := testextract.Read(t, name, data); d.Kind == document.Converted {
			t.Errorf("%s is a chat", name)
		}
	}
}

var names = []string{"a.ipynb", "a.org", "a.adoc", "a.tex", "a.srt", "bookmarks.html", "result.json", "_chat.txt", "a.xml", "a.rst", "a.mediawiki", "a.textile", "a.typ", "a.fb2", "a.gpx", "a.drawio", "a.excalidraw"}

func seeds() [][]byte {
	return [][]byte{[]byte(notebook), []byte(orgFile), []byte(texFile), []byte("1\n00:00:01,000 --> 00:00:03,000\n<i>The roof</i>\n\n2\n00:00:04,000 --> 00:00:05,000\nleaks.\n"),
		[]byte("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><H3>a</H3><DL><DT><A HREF=\"http://a\" TAGS=\"b\">c</A><DD>d</DL></DL>"), []byte(telegram), []byte(slack), []byte(whatsApp), []byte(asciidoc), []byte(feed), []byte(book), []byte(track), []byte(drawing), []byte(graph),
		[]byte(lightSamples[0].data), []byte(lightSamples[1].data), []byte(lightSamples[2].data), []byte(lightSamples[3].data)}
}

func sound(t *testing.T, data []byte) {
	t.Helper()
	for _, name := range names {
		d, err := extract.Bytes(context.Background(), name, data, extract.Options{})
		if err != nil {
			continue
		}
		last := -1
		for _, p := range d.Places {
			if p.Offset < last || p.Offset > len(d.Text) {
				t.Fatalf("%s: a place at %d after %d of %d bytes", name, p.Offset, last, len(d.Text))
			}
			last = p.Offset
		}
		if !utf8.ValidString(d.Text) {
			t.Fatalf("%s: of %.300q", name, data)
		}
	}
}

func TestDamagedMarkupGivesWhatItCan(t *testing.T) {
	testmutate.Each(t, 1000, seeds(), func(data []byte) { sound(t, data) })
}

func FuzzMarkup(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { sound(t, data) })
}

// TestDrawingsOfSubtitlesAreNoWords: a drawing ends with its line, or where text begins again.
func TestDrawingsOfSubtitlesAreNoWords(t *testing.T) {
	at := func(text string) string {
		return "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,," + text + "\n"
	}
	d := testextract.Read(t, "a.ass", "[Script Info]\nTitle: Pond\n\n[Events]\n"+at(`{\an7\p1}m 0 0 l 100 0 100 100{\p0}The heron {\pos(1,2)}is back.`)+at(`{\p4\c&HFF&}m 0 0 l 7 7{\c&H0&}l 9 9`))
	if !strings.Contains(d.Text, "The heron is back.") || strings.Contains(d.Text, "l 7") || strings.Contains(d.Text, "l 100") || strings.Contains(d.Text, "l 9") {
		t.Errorf("%q", d.Text)
	}
}
