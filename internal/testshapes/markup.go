package testshapes

import "strings"

func markups() []Shape {
	return []Shape{
		{"colspan.html", 300, 300_000, repeated("<table>", `<tr><td colspan=1000000000>a</td><td rowspan=1000000000>b</td><td>c</td></tr>`, "</table>")},
		{"rowspan.html", 300, 1000, func(n int) []byte {
			return []byte("<table><tr>" + strings.Repeat("<th rowspan=1000000000>Valve name</th>", n) + "</tr>" + strings.Repeat("<tr><td>a</td></tr>", 20*n) + "</table>")
		}},
		{"deep.html", 300, 1_000_000, nested("<html>", "<div>", sentence, "</div>", "</html>")},
		{"lists.html", 300, 1_000_000, nested("<html>", "<ul><li>a", sentence, "</ul>", "</html>")},
		{"tables.html", 300, 300_000, nested("<html>", "<table><tr><td>", sentence, "</td></tr></table>", "</html>")},
		{"unclosed.html", 300, 3_000_000, repeated("<html>", "<b>a", "")},
		{"formatted.html", 300, 500_000, repeated("<html>", "<p><b><i><u>a", "")},
		{"paragraphs.html", 300, 120_000, repeated("<html><title>Heating</title>", "<p>"+sentence, "</html>")},
		{"attributes.html", 300, 1_000_000, repeated("<html><p ", "a=b ", ">"+sentence+"</html>")},
		{"comments.html", 300, 3_000_000, repeated("<html>", "<!--", sentence+"</html>")},
		{"links.html", 300, 300_000, repeated("<html>", `<a href="x">valve</a> `, "</html>")},
		{"entities.html", 300, 3_000_000, repeated("<html><p>", "&amp;", "</html>")},
		{"options.html", 300, 500_000, repeated("<html><select>", "<option>boiler valve", "</select>"+sentence+"</html>")},
		{"quotes.md", 1000, 8_000_000, repeated("", ">", " boiler\n")},
		{"quotelines.md", 1000, 2000, func(n int) []byte { return []byte(strings.Repeat(strings.Repeat(">", n)+" boiler\n", n)) }},
		{"brackets.md", 1000, 8_000_000, repeated("", "[", "a](b)\n")},
		{"links.md", 1000, 1_000_000, repeated("", "[a](b)[c]", "\n")},
		{"headings.md", 1000, 1_500_000, repeated("", "# Valve\n", "")},
		{"levels.md", 1000, 300_000, repeated("", "# A valve\n## B\n### C\n#### D\n##### E\n###### F\n", "")},
		{"items.md", 1000, 1_000_000, repeated("", "- boiler valve\n", "")},
		{"nestedlist.md", 300, 4000, func(n int) []byte {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.Repeat(" ", i) + "- a\n")
			}
			return []byte(b.String())
		}},
		{"fences.md", 1000, 3_000_000, repeated("", "```\n", "")},
		{"table.md", 1000, 1_000_000, repeated("| a | b |\n| - | - |\n", "| c | d |\n", "")},
		{"front.md", 1000, 1_000_000, repeated("---\ntags: [", "a, ", "b]\n---\n"+sentence+"\n")},
		{"stars.md", 1000, 8_000_000, repeated("", "*a", "\n")},
		{"macros.tex", 20, 40, func(n int) []byte {
			var b strings.Builder
			b.WriteString("\\documentclass{article}\n\\newcommand{\\aa}{valve valve}\n")
			for i := 1; i < n; i++ {
				name, before := "\\a"+string(rune('a'+i%26))+string(rune('a'+i/26)), "\\a"+string(rune('a'+(i-1)%26))+string(rune('a'+(i-1)/26))
				if i == 1 {
					before = "\\aa"
				}
				b.WriteString("\\newcommand{" + name + "}{" + strings.Repeat(before+" ", 10) + "}\n")
				if i == n-1 {
					b.WriteString("\\begin{document}\n" + name + "\n\\end{document}\n")
				}
			}
			return []byte(b.String())
		}},
		{"recursive.tex", 20, 100_000, repeated("\\documentclass{article}\n\\newcommand{\\a}{\\a \\a}\\begin{document}\n", "\\a ", "\\end{document}\n")},
		{"groups.tex", 300, 4_000_000, nested("\\documentclass{article}\\begin{document}\n", "{", sentence, "}", "\\end{document}\n")},
		{"environments.tex", 300, 500_000, nested("\\documentclass{article}\\begin{document}\n", "\\begin{itemize}\\item a ", sentence, "\\end{itemize}", "\\end{document}\n")},
		{"sections.tex", 300, 200_000, repeated("\\documentclass{article}\\begin{document}\n", "\\section{Valve} boiler\n", "\\end{document}\n")},
		{"outputs.ipynb", 100, 60_000, repeated(`{"cells":[`, `{"cell_type":"code","source":["a = 1"],"outputs":[{"output_type":"stream","text":["`+sentence+`"]}]},`,
			`{"cell_type":"markdown","source":["end"]}],"nbformat":4,"nbformat_minor":5}`)},
		{"lines.ipynb", 100, 1_000_000, repeated(`{"cells":[{"cell_type":"markdown","source":[`, `"valve\n",`, `"end"]}],"nbformat":4,"nbformat_minor":5}`)},
		{"entity.xml", 5, 30, func(n int) []byte {
			var b strings.Builder
			b.WriteString("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a0 \"valve\">")
			for i := 1; i < n; i++ {
				b.WriteString("<!ENTITY " + entity(i) + " \"" + strings.Repeat("&"+entity(i-1)+";", 10) + "\">")
			}
			return []byte(b.String() + "]><a>&" + entity(n-1) + ";</a>")
		}},
		{"deep.xml", 300, 2_000_000, nested("<?xml version=\"1.0\"?>", "<a>", sentence, "</a>", "")},
		{"elements.xml", 300, 1_000_000, repeated("<?xml version=\"1.0\"?><r>", "<a>valve</a>", "</r>")},
		{"cues.srt", 300, 400_000, numbered("", "1\n00:00:01,000 --> 00:00:02,000\nvalve %\n\n", "")},
		{"cues.vtt", 300, 300_000, repeated("WEBVTT\n\n", "00:00:01.000 --> 00:00:02.000\nboiler valve\n\n", "")},
		{"chat.txt", 300, 300_000, repeated("", "02/03/2020, 10:00 - Ann: boiler valve\n", "")},
		{"chatted.txt", 300, 300_000, numbered("", "02/03/2020, 10:00 - Ann: boiler %\n", "")},
		{"stars.org", 300, 500_000, repeated("", "* Valve\nboiler\n", "")},
		{"deep.org", 1000, 2000, func(n int) []byte {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.Repeat("*", i+1) + " Valve\n")
			}
			return []byte(b.String())
		}},
		{"sections.adoc", 300, 500_000, repeated("= Heating\n\n", "== Valve\n\nboiler\n\n", "")},
	}
}

// drawings are those, and lists of pages.
func drawings() []Shape {
	return []Shape{
		{"bookmarks.html", 300, 150_000, repeated("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n", "<DT><A HREF=\"https://example.org\">Boiler valve</A>\n", "</DL><p>\n")},
		{"drawing.svg", 300, 300_000, repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, "<text>valve</text>", "</svg>")},
		{"uses.svg", 300, 1_000_000, nested(`<svg xmlns="http://www.w3.org/2000/svg">`, "<g>", "<text>valve</text>", "</g>", "</svg>")},
	}
}

// entity returns a name of one.
func entity(n int) string { return "a" + strings.Repeat("b", n) }
