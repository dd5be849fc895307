package markup_test

import (
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

func TestChannelsThatIrssi1_4_3AndWeeChat3_8Logged(t *testing.T) {
	for name, file := range map[string]string{"#harbour.log": "irssi-1.4.3.log", "irc.t.#harbour.weechatlog": "weechat-3.8.weechatlog"} {
		data := testextract.Sample(t, file)
		d := testextract.Read(t, name, data)
		testextract.Damage(t, 300, name, data)
		for _, line := range []string{"# #harbour\n\n## 2026-11-28\n\n- ", "- ben 12:12: The crane at the north quay is down again\n- clara 12:12: sighs about the crane\n- clara 12:12: Who has the spare fuse?"} {
			if !strings.Contains(d.Text, line) {
				t.Errorf("%s: %q is not in %q", name, line, d.Text)
			}
		}
		at := strings.Index(d.Text, "- ben")
		for _, e := range d.Entries {
			if e.Offset == at && (strings.Join(e.Meta.Authors, ",") != "ben" || e.Meta.Date.Format("2006-01-02 15:04") != "2026-11-28 12:12") {
				t.Errorf("%s: it says of itself %+v", name, e.Meta)
			}
		}
		if strings.Contains(d.Text, "joined") || strings.Contains(d.Text, "dora") || d.Format != "chat" || d.Meta.Title != "#harbour" || document.Label(d.Place(at)) == "" {
			t.Errorf("%s: %s %q %q", name, d.Format, d.Meta.Title, d.Text)
		}
	}
}
