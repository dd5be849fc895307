package markup_test

import (
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Ponds</title>
<item><title>Frogs &amp; reeds</title><dc:creator>Ann Lee</dc:creator><description>&lt;p&gt;The frogs came back in &lt;b&gt;March&lt;/b&gt; this year.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;twelve of them&lt;/li&gt;&lt;/ul&gt;</description></item>
<item><title><![CDATA[Herons]]></title>
<description><![CDATA[<p>A heron stood there for an hour, and nobody minded.</p>]]></description></item></channel></rss>`

func TestXMLIsReadByItsText(t *testing.T) {
	d := testextract.Read(t, "feed.xml", feed)
	check(t, d, "# Ponds\n\n## Frogs & reeds\n\nBy: Ann Lee\n\nThe frogs came back in March this year.\n\n- twelve of them\n\n## Herons\n\nA heron stood there for an hour, and nobody minded.",
		nil, map[string]int{"Ponds": 2, "Frogs": 3, "March": 3, "Herons": 4, "an hour": 5})
	if d.Meta.Title != "Ponds" || d.Format != "feed" {
		t.Errorf("%+v", d)
	}
}

// Sentences stay whole whatever is marked in them, attributes say what they are.
func TestXMLKeepsSentences(t *testing.T) {
	for source, want := range map[string]string{
		`<article><info><title>Pond</title></info><section xml:id="a"><title>Pump</title><para>Ask <emphasis role="strong"><code>Ann</code></emphasis> about the pump of the pond.</para><para><emphasis>Never</emphasis> run it dry, it will break.</para><programlisting language="sh">pump on
  pump off</programlisting></section></article>`: "# Pond\n\n# Pump\n\nAsk Ann about the pump of the pond.\n\nNever run it dry, it will break.\n\nlanguage: sh\n\n```\npump on\n  pump off\n```",
		`<smses count="2"><sms protocol="0" address="+49170123" body="The heron is back at the pond" contact_name="Ann" read="1" subject="null" /><sms address="88811" body="ok then" /></smses>`: "address: +49170123; body: The heron is back at the pond; contact_name: Ann\n\naddress: 88811; body: ok then",
		`<FictionBook><body><title><p>The pond</p></title><p>It rained all of <strong>that</strong> day.</p></body><!-- Ann has to read this once more --></FictionBook>`:                         "# The pond\n\nIt rained all of that day.\n\nAnn has to read this once more",
	} {
		if d := testextract.Read(t, "a.xml", source); d.Text != want || d.Kind != document.Converted {
			t.Errorf("%q, want %q", d.Text, want)
		}
	}
}

// What only people read is read as that, however little it says.
func TestBooksAreReadHoweverShort(t *testing.T) {
	d := testextract.Read(t, "a.fb2", `<FictionBook xmlns:l="x"><body><title><p>Pond</p><p>and reeds</p></title><section><p>See <image l:href="#i" alt="a heron"/> there<a l:href="#n1" type="note">1</a>.</p></section></body>`+
		`<body name="notes"><section id="n1"><title><p>1</p></title><p>In May.</p></section></body><binary id="i" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>`)
	if want := "# Pond\n\n# and reeds\n\nSee a heron there 1.\n\n## 1\n\nIn May."; d.Text != want || d.Kind != document.Converted {
		t.Errorf("%q", d.Text)
	}
}

// What programs read stays as it stands.
func TestXMLOfProgramsIsCode(t *testing.T) {
	project := "<project>\n" + strings.Repeat("  <dependency>\n    <groupId>org.example</groupId>\n    <artifactId>pond</artifactId>\n  </dependency>\n", 9) + "</project>\n"
	for _, source := range []string{project, "<a><b>The heron stands in the reeds", `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h24v24H0z"/></svg>`, "<p>" + fmt.Sprint(make([]int, 50)) + "</p>"} {
		if d := testextract.Read(t, "a.xml", source); d.Text != source && d.Kind != document.Converted || d.Kind == document.Converted && !strings.Contains(source, "heron") {
			t.Errorf("%v: %q", d.Kind, d.Text)
		}
	}
}
