package session_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"
)

const (
	asked    = "Why does the gutter above the greenhouse leak near the quince tree?"
	answered = "The gutter above the greenhouse leaks because its bracket rusted; replace it with a copper one."
)

// made are files by the schemas that their programs, or readers of these, publish.
var made = map[string]string{
	"chatgpt.json": `[{"title":"Quince jelly","create_time":1714557600.5,"current_node":"d","default_model_slug":"gpt-4o","mapping":{
"r":{"id":"r","message":null,"parent":null,"children":["a"]},
"a":{"id":"a","message":{"id":"a","author":{"role":"user"},"create_time":1714557601,"content":{"content_type":"text","parts":["How long does quince jelly boil?"]},"metadata":{},"recipient":"all"},"parent":"r","children":["b","c"]},
"b":{"id":"b","message":{"id":"b","author":{"role":"assistant"},"create_time":1714557602,"content":{"content_type":"text","parts":["Boil it for an hour."]},"metadata":{"model_slug":"gpt-4o"},"recipient":"all"},"parent":"a","children":[]},
"c":{"id":"c","message":{"id":"c","author":{"role":"assistant"},"create_time":1714557603,"content":{"content_type":"text","parts":["Ten minutes are enough."]},"metadata":{"model_slug":"gpt-4o"},"recipient":"all"},"parent":"a","children":["t"]},
"t":{"id":"t","message":{"id":"t","author":{"role":"tool"},"content":{"content_type":"text","parts":["toolnoise"]},"metadata":{},"recipient":"all"},"parent":"c","children":["d"]},
"d":{"id":"d","message":{"id":"d","author":{"role":"user"},"create_time":1714557604,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://x9"},"And with sugar?"]},"metadata":{},"recipient":"all"},"parent":"t","children":[]}}}]`,
	"claude.json": `[{"uuid":"0f1e","name":"Roof of the barn","created_at":"2025-03-01T10:00:00Z","updated_at":"2025-03-01T10:01:00Z","account":{"uuid":"77"},"chat_messages":[
{"uuid":"m1","text":"","content":[{"type":"text","text":"Which slates fit a barn?"}],"sender":"human","created_at":"2025-03-01T10:00:00Z","attachments":[]},
{"uuid":"m2","text":"","content":[{"type":"thinking","thinking":"thoughtnoise"},{"type":"tool_use","name":"web","input":{"q":"toolnoise"}},{"type":"text","text":"Welsh slates, laid with copper nails."}],"sender":"assistant","created_at":"2025-03-01T10:01:00Z"}]}]`,
	"webui.json": `[{"id":"e1","user_id":"u1","title":"Bees","created_at":1714557600,"chat":{"title":"Bees","models":["llama3:8b"],"history":{"currentId":"b","messages":{
"a":{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"When do bees swarm?","timestamp":1714557600},
"b":{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","model":"llama3:8b","content":"<details type=\"reasoning\">thoughtnoise</details>In May, on warm days.","timestamp":1714557605}}}}}]`,
	"lmstudio.json": `{"name":"Ferry","createdAt":1714557600000,"systemPrompt":"promptnoise","messages":[
{"versions":[{"type":"singleStep","role":"user","content":[{"type":"text","text":"Is there a ferry at dawn?"}]}],"currentlySelected":0},
{"versions":[{"type":"multiStep","role":"assistant","senderInfo":{"senderName":"qwen2.5"},"steps":[{"type":"contentBlock","style":{"type":"thinking"},"content":[{"type":"text","text":"thoughtnoise"}]},{"type":"contentBlock","content":[{"type":"text","text":"Yes, at six from the old pier."}]}]}],"currentlySelected":0}]}`,
	"takeout.json":           `[{"header":"Gemini Apps","title":"Prompted Where do herons nest?","time":"2025-05-02T08:00:00.123Z","products":["Gemini Apps"],"safeHtmlItem":[{"html":"<p>In tall <b>alders</b> by the water.</p>"}]}]`,
	".aider.chat.history.md": "\n# aider chat started at 2025-02-03 09:10:11\n\n> Aider v0.80.0\n> Model: gpt-4o with diff edit format\n\n#### Rename the ferry module\n\nI renamed the ferry module to crossing.\n\n> Tokens: 2k sent, 300 received.\n",
}

func TestSessionsWrittenByTheirProgramsAreTurns(t *testing.T) {
	for _, c := range []struct{ file, model, command string }{
		{"claude-2.1.197.jsonl", "claude-sonnet-4-5", "cd /home/ann/garden && claude --resume 1a5f0cbf-3e8b-4392-8646-f80fcbb98ab2"},
		{"codex-0.171.0.jsonl", "gpt-5", "cd /home/ann/garden && codex resume 01a220e5-c24b-7ae2-8d83-618dbfcffeb2"},
		{"opencode-1.18.33.json", "heron-1", "cd /home/ann/garden && opencode --session ses_ddf1638e0ffesmMLEexYPVHh2L"},
		{"gemini-0.61.0.jsonl", "gemini-2.5-pro", "gemini --resume 3bd113a5-8f28-42dc-b663-ec33904457ea"},
	} {
		d := testextract.Read(t, c.file, testextract.Sample(t, c.file))
		if d.Format != "session" || !strings.Contains(d.Text, asked) || !strings.HasSuffix(d.Text, "Assistant: "+answered) || d.Meta.Title == "" {
			t.Errorf("%s: %s %q %q", c.file, d.Format, d.Meta.Title, d.Text)
		}
		for _, noise := range []string{"drwxr", "uuid", "toolu_", "call_1", "/home/ann", "total 580", "ls -la"} {
			if strings.Contains(d.Text, noise) {
				t.Errorf("%s: has %q", c.file, noise)
			}
		}
		at := d.Place(strings.LastIndex(d.Text, "bracket"))
		if len(at) != 2 || at[0].Name != c.command || at[1].Name != "assistant" {
			t.Errorf("%s: place %q", c.file, document.Label(at))
		}
		last := d.Entries[len(d.Entries)-1].Meta
		if strings.Join(last.Authors, ",") != "assistant,"+c.model || last.Date.Year() != 2026 || last.Title != d.Meta.Title {
			t.Errorf("%s: says %+v", c.file, last)
		}
		var asker []string
		for _, e := range d.Entries {
			if e.Offset <= strings.Index(d.Text, asked) {
				asker = e.Meta.Authors
			}
		}
		if line := d.Line(strings.LastIndex(d.Text, "bracket")); asker[0] != "me" || strings.HasSuffix(c.file, "l") && line < 4 {
			t.Errorf("%s: by %q, line %d", c.file, asker, line)
		}
	}
}

func TestExportsByTheirPublishedSchemasAreTurns(t *testing.T) {
	for _, c := range []struct{ file, want, title, place string }{
		{"chatgpt.json", "# Quince jelly\n\nMe: How long does quince jelly boil?\n\nAssistant: Ten minutes are enough.\n\nMe: And with sugar?\n\nAssistant: Boil it for an hour.", "Quince jelly", "conversation Quince jelly, branch 2, message 4 (assistant)"},
		{"claude.json", "# Roof of the barn\n\nMe: Which slates fit a barn?\n\nAssistant: Welsh slates, laid with copper nails.", "Roof of the barn", "conversation Roof of the barn, message 2 (assistant)"},
		{"webui.json", "# Bees\n\nMe: When do bees swarm?\n\nAssistant: In May, on warm days.", "Bees", "conversation Bees, message 2 (assistant)"},
		{"lmstudio.json", "# Ferry\n\nMe: Is there a ferry at dawn?\n\nAssistant: Yes, at six from the old pier.", "Ferry", "conversation Ferry, message 2 (assistant)"},
		{"takeout.json", "# Where do herons nest?\n\nMe: Where do herons nest?\n\nAssistant: In tall alders by the water.", "Where do herons nest?", "conversation Where do herons nest?, message 2 (assistant)"},
		{".aider.chat.history.md", "Me: Rename the ferry module\n\nAssistant: I renamed the ferry module to crossing.", "Rename the ferry module", "session aider --restore-chat-history, message 2 (assistant)"},
	} {
		d := testextract.Read(t, c.file, made[c.file])
		if d.Format != "session" || d.Text != c.want || d.Meta.Title != c.title {
			t.Errorf("%s: %s %q\n%q, want\n%q", c.file, d.Format, d.Meta.Title, d.Text, c.want)
		}
		if got := document.Label(d.Place(len(d.Text))); got != c.place {
			t.Errorf("%s: place %q, want %q", c.file, got, c.place)
		}
		if last := d.Entries[len(d.Entries)-1].Meta; last.Authors[0] != "assistant" || last.Date.IsZero() || last.Title != c.title {
			t.Errorf("%s: says %+v", c.file, last)
		}
	}
}

// later are forms that exports have taken on since, with the fields that public readers of them agree on (2026-07).
var later = map[string]string{
	"conversations-000.json": `[{"title":"Mill","create_time":1772615472.5,"mapping":{"r":{"id":"r","message":null,"parent":null,"children":["u"]},
"u":{"message":{"author":{"role":"user"},"create_time":1772615473,"content":{"content_type":"user_editable_context","user_profile":"profilenoise"},"metadata":{"is_visually_hidden_from_conversation":true}},"parent":"r","children":["a"]},
"a":{"message":{"author":{"role":"user"},"create_time":1772615474,"content":{"content_type":"multimodal_text","parts":[{"content_type":"audio_transcription","text":"Why does the beam rot?","direction":"in"},{"content_type":"real_time_user_audio_video_asset_pointer","audio_asset_pointer":{"asset_pointer":"sediment://noise"}}]},"metadata":{"attachments":[{"id":"file-noise","name":"beam.jpg","mime_type":"image/jpeg"}]}},"parent":"u","children":["b"]},
"b":{"message":{"author":{"role":"assistant"},"content":{"content_type":"thoughts","thoughts":[{"summary":"thoughtnoise","content":"thoughtnoise"}]},"recipient":"all"},"parent":"a","children":["c"]},
"c":{"message":{"author":{"role":"assistant"},"content":{"content_type":"reasoning_recap","content":"recapnoise"},"recipient":"all"},"parent":"b","children":["d"]},
"d":{"message":{"author":{"role":"assistant"},"content":{"content_type":"code","language":"json","text":"{\"name\":\"Repairs\",\"type\":\"document\",\"content\":\"Replace the beam by oak.\"}"},"recipient":"canmore.create_textdoc","metadata":{"model_slug":"gpt-5"}},"parent":"c","children":["e"]},
"e":{"message":{"author":{"role":"tool","name":"canmore.create_textdoc"},"content":{"content_type":"text","parts":["toolnoise"]}},"parent":"d","children":["f"]},
"f":{"message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["Water stands on \ue200entity\ue202[\"thing\",\"the sill\",\"noise\"]\ue201 \ue200cite\ue202turn0search1\ue202turn0search3\ue201, see \ue200url\ue202the guide\ue202turn0noise\ue201【12†L1-L3】."]},"recipient":"all","metadata":{"model_slug":"gpt-5","attachments":{"name":7},"chatgpt_sdk":"x","content_references":[{"matched_text":"noise"}]}},"parent":"e","children":["g"]},
"g":{"message":{"author":{"role":"tool"},"content":{"content_type":"text","parts":["toolnoise"]},"metadata":{"chatgpt_sdk":{"widget_state":"{\"status\":\"completed\",\"report_message\":{\"content\":{\"content_type\":\"text\",\"parts\":[\"Oak lasts longest.\"]}}}"}}},"parent":"f","children":[]}},"current_node":"g"}]`,
	"claude-tree.json": `[{"uuid":"0f1e","name":"Roof","summary":"summarynoise","created_at":"2026-03-04T10:11:12Z","account":{"uuid":"77"},"chat_messages":[
{"uuid":"m1","text":"Which slates?","content":[{"type":"text","text":"Which slates?","citations":[]}],"sender":"human","created_at":"2026-03-04T10:11:12Z","attachments":[{"file_name":"paste.txt","file_size":9,"file_type":"txt","extracted_content":"The old ones are Welsh."},{"file_name":"plan.pdf","extracted_content":"pdfnoise"}],"files":[{"file_uuid":"n01se","file_name":"roof.png"}],"parent_message_uuid":"00000000-0000-4000-8000-000000000000"},
{"uuid":"m2","content":[{"type":"text","text":"Take Welsh ones."}],"sender":"assistant","created_at":"2026-03-04T10:11:13Z","parent_message_uuid":"m1"},
{"uuid":"m3","content":[{"type":"text","text":"Which slates are cheap?"}],"sender":"human","created_at":"2026-03-04T10:11:14Z","parent_message_uuid":"00000000-0000-4000-8000-000000000000"},
{"uuid":"m4","text":"noise","content":[{"type":"thinking","thinking":"thoughtnoise"},{"type":"tool_use","name":"artifacts","input":{"command":"create","id":"n01se","title":"Prices","type":"text/markdown","content":"Spanish ones cost least."}},{"type":"tool_use","name":"query","input":{"type":7,"content":[{"path":true}]}},{"type":"tool_result","content":[{"type":"text","text":"toolnoise"}]},{"type":"text","text":"See the list."}],"sender":"assistant","created_at":"2026-03-04T10:11:15Z","parent_message_uuid":"m3"}]}]`,
	"projects.json":   `[{"uuid":"0f1e","name":"Barn","description":"The roof of the barn.","is_private":true,"creator":{"uuid":"77","full_name":"noise"},"created_at":"2026-03-04T10:11:12Z","prompt_template":"Answer in feet.","docs":[{"uuid":"n01se","filename":"slates.md","content":"Twelve rows.","created_at":"2026-03-05T10:11:12Z"}]}]`,
	"memories.json":   `[{"conversations_memory":"Ann repairs barns.","project_memories":{"n01se":"Slates are Welsh."},"account_uuid":"noise"}]`,
	"MyActivity.json": `[{"header":"Gemini-Apps","title":"Gave feedback: Good response","time":"2026-03-04T10:11:11Z","products":["Gemini-Apps"]},{"header":"Gemini-Apps","title":"Prompted Where do herons nest?","titleUrl":"https://gemini.google.com/app/noise","time":"2026-03-04T10:11:12Z","products":["Gemini-Apps"],"safeHtmlItem":[{"html":"<p>In alders.</p>"},{"html":"<p>By the water.</p>"}],"subtitles":[{"name":"noise"}]}]`,
	"chat-export.json": `[{"id":"e1","user_id":"u1","title":"Bees","created_at":1772615472,"meta":{"tags":["garden"]},"chat":{"models":["qwen3:8b"],"history":{"currentId":"b","messages":{"a":{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"When do bees swarm?","timestamp":1772615472,"files":[{"id":"noise"}]},
"b":{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","model":"qwen3:8b","content":"<details type=\"tool_calls\" done=\"true\" id=\"noise\"><summary>noise</summary></details>In May.","timestamp":1772615475}}}}}]`,
}

func TestLaterFormsOfExportsAreTurns(t *testing.T) {
	for _, c := range []struct{ file, want, place, tags string }{
		{"conversations-000.json", "# Mill\n\nMe: Why does the beam rot?\n\nAttached: beam.jpg\n\nAssistant: Repairs\n\nReplace the beam by oak.\n\nAssistant: Water stands on the sill , see the guide.\n\nAssistant: Oak lasts longest.", "conversation Mill, message 4 (assistant)", ""},
		{"claude-tree.json", "# Roof\n\nMe: Which slates are cheap?\n\nAssistant: Prices\n\nSpanish ones cost least.\n\nSee the list.\n\nMe: Which slates?\n\nThe old ones are Welsh.\n\nAttached: plan.pdf\n\nAttached: roof.png\n\nAssistant: Take Welsh ones.", "conversation Roof, branch 2, message 4 (assistant)", ""},
		{"projects.json", "# Barn\n\nMe: The roof of the barn.\n\nMe: Answer in feet.\n\nMe: slates.md\n\nTwelve rows.", "conversation Barn, message 3 (me)", ""},
		{"memories.json", "# Memory\n\nAssistant: Ann repairs barns.\n\nAssistant: Slates are Welsh.", "conversation Memory, message 2 (assistant)", ""},
		{"MyActivity.json", "# Where do herons nest?\n\nMe: Where do herons nest?\n\nAssistant: In alders.\n\nAssistant: By the water.", "conversation Where do herons nest?, branch 2, message 3 (assistant)", ""},
		{"chat-export.json", "# Bees\n\nMe: When do bees swarm?\n\nAssistant: In May.", "conversation Bees, message 2 (assistant)", "garden"},
	} {
		d := testextract.Read(t, c.file, later[c.file])
		if d.Format != "session" || d.Text != c.want {
			t.Errorf("%s: %s\n%q, want\n%q", c.file, d.Format, d.Text, c.want)
		}
		if got := document.Label(d.Place(len(d.Text))); got != c.place {
			t.Errorf("%s: place %q, want %q", c.file, got, c.place)
		}
		last := d.Entries[len(d.Entries)-1].Meta
		if strings.Join(last.Tags, ",") != c.tags || c.file != "memories.json" && (last.Date.Year() != 2026 || last.Date.Month() != 3) {
			t.Errorf("%s: says %+v", c.file, last)
		}
		testextract.Damage(t, 100, c.file, later[c.file])
	}
}

// activities is a page as Takeout writes it, by published copies: a cell of Gemini, and one of another product.
const activities = `<html><head><title>My Activity History</title><style type="text/css">/**
 * material-design-lite - Material Design Components in CSS, JS and HTML
 */ .noise{}</style></head><body><div class="mdl-grid">` +
	`<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">Gemini Apps<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Prompted&nbsp;Where do herons nest?<br>By day?<br>Mar 4, 2026, 10:11:12&#8239;AM CET<br><p>In <b>alders</b>.</p><div><p>By the water.</p></div></div>` +
	`<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;noise<br></div></div></div>` +
	`<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell"><p>Search<br></p></div><div class="content-cell">Searched for&nbsp;noise<br>Mar 4, 2026, 10:11:12 AM CET</div></div></div>` +
	`<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell"><p>Gemini-Apps<br></p></div><div class="content-cell">Eingegebener Prompt: Wo nisten Reiher?<br>04.03.2026, 10:11:12 MEZ<br><p>In Erlen.</p></div></div></div></div></body></html>`

func TestActivitiesOfGeminiInAPageAreTurns(t *testing.T) {
	d := testextract.Read(t, "My Activity.html", activities)
	const want = "# Where do herons nest?\n\nMe: Where do herons nest?\n\nBy day?\n\nAssistant: In alders.\n\nBy the water.\n\n# Wo nisten Reiher?\n\nMe: Wo nisten Reiher?\n\nAssistant: In Erlen."
	if d.Format != "session" || d.Text != want {
		t.Errorf("%s\n%q, want\n%q", d.Format, d.Text, want)
	}
	for _, e := range d.Entries {
		if e.Meta.Date.Format("2006-01-02") != "2026-03-04" && e.Meta.Authors != nil {
			t.Errorf("says %+v", e.Meta)
		}
	}
	if got := document.Label(d.Place(strings.Index(d.Text, "Erlen"))); got != "conversation Wo nisten Reiher?, message 2 (assistant)" {
		t.Errorf("place %q", got)
	}
	if other := testextract.Read(t, "My Activity.html", strings.ReplaceAll(activities, "Gemini", "Maps")); other.Format == "session" || !strings.Contains(other.Text, "alders") {
		t.Errorf("%s %q", other.Format, other.Text)
	}
	testextract.Damage(t, 200, "My Activity.html", activities)
}

func TestOtherJSONStays(t *testing.T) {
	for name, data := range map[string]string{
		"a.jsonl": `{"q":"who?","a":"Ann"}` + "\n" + `{"q":"when?","a":"now"}` + "\n",
		"a.json":  `[{"title":"roof","messages":"none"},{"title":"lead","messages":"two"}]`,
	} {
		if d := testextract.Read(t, name, data); d.Format == "session" {
			t.Errorf("%s is a session", name)
		}
	}
}

func TestDamagedSessionsEnd(t *testing.T) {
	for name, data := range map[string]string{"a.jsonl": "", "b.json": "", ".aider.chat.history.md": ""} {
		seeds := [][]byte{}
		files, _ := filepath.Glob("testdata/*" + filepath.Ext(name))
		for _, file := range files {
			seeds = append(seeds, []byte(testextract.Sample(t, filepath.Base(file))))
		}
		for _, file := range slices.Sorted(maps.Keys(made)) {
			if filepath.Ext(file) == filepath.Ext(name) {
				seeds = append(seeds, []byte(made[file]))
			}
		}
		testmutate.Each(t, 500, seeds, func(bytes []byte) {
			if d, err := extract.Bytes(context.Background(), name, bytes, extract.Options{}); err == nil && !utf8.ValidString(d.Text+data) {
				t.Fatalf("%.100q", bytes)
			}
		})
	}
}
