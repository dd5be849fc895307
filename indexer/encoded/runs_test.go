package encoded

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// picture is random bytes, which a compressed picture cannot be told from.
func picture(n int) []byte {
	rng := rand.New(rand.NewPCG(38, 2))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

func inLines(text string, width int, before, between string) string {
	var b strings.Builder
	for ; len(text) > width; text = text[width:] {
		b.WriteString(before + text[:width] + between)
	}
	return b.String() + before + text
}

// uuencoded is data as uuencode writes it, without blanks.
func uuencoded(data []byte) string {
	var b strings.Builder
	put := func(n byte) { b.WriteByte("`!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_"[n&63]) }
	for ; len(data) > 0; data = data[min(45, len(data)):] {
		line := data[:min(45, len(data))]
		put(byte(len(line)))
		for i := 0; i < len(line); i += 3 {
			var t [3]byte
			copy(t[:], line[i:])
			put(t[0] >> 2)
			put(t[0]<<4 | t[1]>>4)
			put(t[1]<<2 | t[2]>>6)
			put(t[2])
		}
		b.WriteByte('\n')
	}
	return b.String() + "`\n"
}

// dumped is data as hexdump -C shows it.
func dumped(data []byte) string {
	var b strings.Builder
	for i := 0; i < len(data); i += 16 {
		fmt.Fprintf(&b, "%08x  % x  |%s|\n", i, data[i:i+16], strings.Repeat(".", 16))
	}
	return b.String()
}

// encodedTexts have runs, each where ~ stands in the text beside it.
var encodedTexts = func() map[string][2]string {
	code := base64.StdEncoding.EncodeToString(picture(3001))
	short := base64.StdEncoding.EncodeToString(picture(400))
	url := base64.RawURLEncoding.EncodeToString(picture(3001))
	digits := hex.EncodeToString(picture(2000))
	blank := base64.StdEncoding.EncodeToString(append(make([]byte, 900), picture(300)...))
	cut := map[string][2]string{
		"Markdown":             {"A heron ![pond](data:image/png;base64," + code + ") in reeds.", "A heron ![pond](~) in reeds."},
		"reference":            {"[pond]: <data:image/png;base64," + code + ">\n\nreeds", "[pond]: <~>\n\nreeds"},
		"parameters":           {"data:image/png;name=pond.png;base64," + code + "'", "~'"},
		"blank picture":        {"<img src='data:image/x-icon;base64," + strings.Repeat("AAAA", 300) + "'>", "<img src='~'>"},
		"white space":          {"<image>" + blank + "</image>", "<image>~</image>"},
		"broken data":          {"![](data:image/png;base64,\n" + inLines(code, 76, "", "\n") + "\n)", "![](~\n)"},
		"JSON":                 {`{"png": "` + code + `", "alt": "heron"}`, `{"png": "~", "alt": "heron"}`},
		"JSON with escapes":    {`"` + strings.ReplaceAll(code, "/", `\/`) + `"`, `"~"`},
		"JSON by .NET":         {`"` + strings.ReplaceAll(code, "+", `\u002b`) + `"`, `"~"`},
		"JSON in lines":        {`"png": "` + inLines(code, 76, "", `\n`) + `\n", "text/plain"`, `"png": "~\n", "text/plain"`},
		"PEM":                  {"-----BEGIN CERTIFICATE-----\n" + inLines(code, 64, "", "\n") + "\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n~\n-----END CERTIFICATE-----\n"},
		"PEM with CRLF":        {"-----BEGIN KEY-----\r\n" + inLines(short, 64, "", "\r\n") + "\r\n-----END KEY-----\r\n", "-----BEGIN KEY-----\r\n~\r\n-----END KEY-----\r\n"},
		"vCard":                {"FN:Ann\nPHOTO;ENCODING=b;TYPE=JPEG:" + code[:40] + "\n" + inLines(code[40:], 74, " ", "\n") + "\nTEL:1\n", "FN:Ann\nPHOTO;ENCODING=b;TYPE=JPEG:~\nTEL:1\n"},
		"vCard 2.1":            {"PHOTO;JPEG;ENCODING=BASE64:\r\n" + inLines(code, 76, " ", "\r\n") + "\r\n\r\nTEL:1", "PHOTO;JPEG;ENCODING=BASE64:\r\n ~\r\n\r\nTEL:1"},
		"XML":                  {"<binary id=\"cover.jpg\">" + inLines(code, 72, "", "\n") + "</binary>", "<binary id=\"cover.jpg\">~</binary>"},
		"XML with entities":    {"<data>" + inLines(code, 76, "", "&#13;\n") + "&#13;\n</data>", "<data>~&#13;\n</data>"},
		"quoted":               {"> see\n" + inLines(code, 76, "> ", "\n") + "\n> end", "> see\n> ~\n> end"},
		"strings of a program": {"x := " + inLines(code, 60, "\t\"", "\" +\n") + "\"\n", "x := \t\"~\"\n"},
		"Excalidraw":           {"```compressed-json\n" + inLines(code[:2048], 256, "", "\n\n") + "\n```", "```compressed-json\n~\n```"},
		"Excalidraw, padded":   {"```compressed-json\n" + inLines(code[:2048]+code[2048:2245]+"===", 256, "", "\n\n") + "\n```", "```compressed-json\n~\n```"},
		"URL":                  {"https://example.org/play?code=" + url + "&run=1", "https://example.org/play?code=~&run=1"},
		"escaped URL":          {"src=data:image/png;base64," + strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(code) + ")", "src=~)"},
		"hexadecimal":          {"\\x" + digits + "'", "\\~'"},
		"xxd -p":               {"photo:\n" + inLines(digits, 60, "", "\n") + "\nend", "photo:\n~\nend"},
		"hexdump":              {"Its bytes:\n" + dumped(picture(2048)) + "That is all.", "Its bytes:\n~\nThat is all."},
		"uuencode":             {"begin 644 pond.jpg\n" + uuencoded(picture(900)) + "end\n", "begin 644 pond.jpg\n~\n`\nend\n"},
		"vector":               {`{"vector": [` + strings.Repeat("-0.0390535, 0,\n 6.7e-07,", 30) + ` 1.5 ], "text": "reeds"}`, `{"vector": [~], "text": "reeds"}`},
		"an array of numpy":    {"A heron:\n[[" + strings.Repeat(" 0.25  1.\n", 40) + "]\n [ 0. ]]", "A heron:\n[[~]\n [ 0. ]]"},
		"an ssh key":           {"ssh-rsa " + base64.StdEncoding.EncodeToString(picture(535)) + " ann@pond", "ssh-rsa ~ ann@pond"},
	}
	var array strings.Builder
	for i, b := range picture(1200) {
		fmt.Fprintf(&array, "0x%02x, ", b)
		if i%12 == 11 {
			array.WriteString("\n")
		}
	}
	cut["xxd -i"] = [2]string{"char pond[] = {\n" + array.String() + "};", "char pond[] = {\n~\n};"}
	return cut
}()

func TestRunsAreFound(t *testing.T) {
	for name, pair := range encodedTexts {
		text := pair[0]
		var left strings.Builder
		last := 0
		for _, r := range Runs(text) {
			left.WriteString(text[last:r.Start] + "~")
			last = r.End
		}
		left.WriteString(text[last:])
		if left.String() != pair[1] {
			t.Errorf("%s: %.300q, want %q", name, left.String(), pair[1])
		}
		agree(t, text)
	}
}

// texts have no runs, though they look a little like some.
var texts = func() map[string]string {
	rng := rand.New(rand.NewPCG(38, 3))
	many := func(n int, next func() string) string {
		var b strings.Builder
		for range n {
			b.WriteString(next())
		}
		return b.String()
	}
	bytes := func(n int) []byte { return picture(9000)[rng.IntN(8000):][:n] }
	word := func() string {
		return []string{"donau", "dampf", "schiff", "fahrts", "gesell", "schaft", "kapitän", "s"}[rng.IntN(8)]
	}
	return map[string]string{
		"hashes":        many(300, func() string { return hex.EncodeToString(bytes(32)) + "\n" }),
		"sums":          many(300, func() string { return hex.EncodeToString(bytes(20)) + "  pond/heron.jpg\n" }),
		"long hashes":   many(300, func() string { return hex.EncodeToString(bytes(64)) + "\n" }),
		"ids":           many(300, func() string { return "bafybeigdyrzt" + strings.ToLower(hex.EncodeToString(bytes(23))) + "\n" }),
		"keys":          many(300, func() string { return base64.StdEncoding.EncodeToString(bytes(32)) + "\n" }),
		"an ssh key":    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + base64.StdEncoding.EncodeToString(bytes(36)) + " ann@pond",
		"integrity":     many(100, func() string { return `"integrity": "sha512-` + base64.StdEncoding.EncodeToString(bytes(64)) + "\",\n" }),
		"a long URL":    "https://example.org/" + many(90, func() string { return "How-To-Build-A-Pond-2/" }),
		"a path":        many(90, func() string { return "/usr/share/doc/HeronPond" }),
		"identifiers":   many(90, func() string { return "AbstractPondFactoryBuilderImpl" }),
		"a compound":    many(200, word),
		"DNA":           many(2000, func() string { return "ACGT"[rng.IntN(4):][:1] }),
		"protein":       many(100, func() string { return "MKVLAAGIVGLLLAQPSWA\n" }),
		"pi":            many(2000, func() string { return "0123456789"[rng.IntN(10):][:1] }),
		"a line":        strings.Repeat("-", 2000) + "\n" + strings.Repeat("=", 2000) + "\n" + strings.Repeat("_", 2000),
		"numbers":       many(200, func() string { return strings.Repeat(fmt.Sprintf("%04d ", rng.IntN(9999)), 12) + "\n" }),
		"versions":      "[" + many(200, func() string { return fmt.Sprintf("1.%d.3, ", rng.IntN(99)) }) + "1.2.3]",
		"whole numbers": "[" + many(200, func() string { return fmt.Sprintf("%d, ", rng.IntN(9999)) }) + "1.5]",
		"few prices":    "[" + many(60, func() string { return fmt.Sprintf("%d.95, ", rng.IntN(99)) }) + "1.5]",
		"places":        "[" + many(200, func() string { return fmt.Sprintf("[%d.25, 7.5], ", rng.IntN(90)) }) + "[1.5, 2.5]]",
		"colours":       many(200, func() string { return "#" + hex.EncodeToString(bytes(3)) + " heron grey\n" }),
		"a short dump":  dumped(bytes(512)),
		"short data":    "![](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)",
		"shouting":      many(200, func() string { return "<S1D209> % GREEK VOCAL NOTATION SYMBOL-10\n" }),
		"prose":         many(200, func() string { return "A heron stands in the reeds, and nobody minds.\n" }),
	}
}()

func TestTextsHaveNoRuns(t *testing.T) {
	for name, text := range texts {
		for _, r := range Runs(text) {
			t.Errorf("%s: %.80q is taken for encoded", name, text[r.Start:r.End])
		}
		agree(t, text)
	}
}

// What is spoilt, cut or glued together gives what the twin finds.
func TestRunsAgreeWithTheTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 4))
	var all []string
	for _, name := range slices.Sorted(maps.Keys(encodedTexts)) {
		all = append(all, encodedTexts[name][0])
	}
	for range 40 {
		a, b := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
		text := []byte(a[rng.IntN(len(a)):] + b[:rng.IntN(len(b))])
		for range rng.IntN(4) {
			if len(text) > 0 {
				text[rng.IntN(len(text))] = "\n =\\%a-.[,"[rng.IntN(10)]
			}
		}
		agree(t, string(text))
	}
}

func FuzzRuns(f *testing.F) {
	for _, pair := range encodedTexts {
		f.Add(pair[0])
	}
	for _, text := range texts {
		f.Add(text[:min(len(text), 2000)])
	}
	f.Fuzz(func(t *testing.T, text string) { agree(t, text) })
}

func BenchmarkRuns(b *testing.B) {
	text := strings.Repeat("A heron stands in the reeds, and nobody minds; see https://example.org/pond for more.\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Runs(text)
	}
}
