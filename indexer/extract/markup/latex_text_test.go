package markup

import "testing"

func TestTextOfLaTeX(t *testing.T) {
	for source, want := range map[string]string{
		`see \href{http://example.org/pump}{pond pump}.`:                                                              "see pond pump.",
		`see~\href{http://example.org/a%20b}{the pump}`:                                                               "see the pump",
		`at \url{http://example.org/~ann/a--b%20c} too`:                                                               "at http://example.org/~ann/a--b%20c too",
		`in \hyperref[sec:pond]{the pond part} and \hyperlink{a}{there}`:                                              "in the pond part and there",
		`\hypertarget{top}{Top} of it`:                                                                                "Top of it",
		`a \textcolor{red}{red} and \textcolor[rgb]{1,0,0}{other} word`:                                               "a red and other word",
		`\colorbox{yellow}{bright} \fcolorbox{red}{white}{framed}`:                                                    "bright framed",
		`roof\footnote{It leaks.} holds\marginpar{always}`:                                                            "roof It leaks. holds always",
		`\multicolumn{2}{c}{Total cost} \multirow{2}{*}{tall}`:                                                        "Total cost tall",
		`\setlength{\parindent}{2pt}words\newcommand{\pond}[1]{deep #1}`:                                              "words",
		`\foreignlanguage{german}{Teich} \parbox{3cm}{narrow}`:                                                        "Teich narrow",
		`so \[\frac{a}{b}\] and \(\sqrt{c}\) hold, \(d`:                                                               `so $\frac{a}{b}$ and $\sqrt{c}$ hold, $d$`,
		`one\\[2pt]two\\three\\* four`:                                                                                "one two three * four",
		`holds 10\textsuperscript{5} N, as shown\textsuperscript{1}, 101\textsubscript{2}, the 5\textsuperscript{th}`: "holds 10^5 N, as shown^1, 101_2, the 5th",
		`H\textsubscript{2}O \rule{1cm}{2pt}x \scalebox{0.8}{small}`:                                                  "H2O x small",
		`\path{/etc/hosts_old} \nolinkurl{ann_lee@example.org} \href{never `:                                          "/etc/hosts_old ann_lee@example.org ",
	} {
		if got := texText(source); got != want {
			t.Errorf("%s\n got  %q\n want %q", source, got, want)
		}
	}
}

func TestCommentsOfLaTeX(t *testing.T) {
	for line, want := range map[string]string{
		`words % of no matter`:                          "words ",
		`5\% of it % and`:                               `5\% of it `,
		`\url{http://example.org/a%20b} stays % this`:   `\url{http://example.org/a%20b} stays `,
		`\href{http://example.org/a%20b}{the pump} one`: `\href{http://example.org/a%20b}{the pump} one`,
	} {
		if got := withoutComment(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
