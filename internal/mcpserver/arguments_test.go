package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestArgumentsAsModelsSendThem.
func TestArgumentsAsModelsSendThem(t *testing.T) {
	for _, raw := range []string{
		`{"query":"a","limit":3,"extra":{"x":[1]}}`, `{"query":"a","limit":"3","folder":null}`, `{"query":"a","limit":3.0}`,
		`"{\"query\":\"a\",\"limit\":3}"`, ` {"limit":" 3 ","query":"a"} `,
	} {
		var a searchArguments
		if err := decode(json.RawMessage(raw), &a); err != nil || a != (searchArguments{Query: "a", Limit: 3}) {
			t.Errorf("%s: %+v, %v", raw, a, err)
		}
	}
	for _, raw := range []string{"", "null", "{}"} {
		var a searchArguments
		if err := decode(json.RawMessage(raw), &a); err != nil || a != (searchArguments{}) {
			t.Errorf("%q: %+v, %v", raw, a, err)
		}
	}
	var l listArguments
	if err := decode(json.RawMessage(`{"skipped":"true"}`), &l); err != nil || !l.Skipped {
		t.Errorf("%+v, %v", l, err)
	}
	for raw, want := range map[string]string{
		`{"limit":"many"}`: "the argument limit: want a whole number", `{"limit":-1}`: "limit: want a whole number", `{"limit":1.5}`: "limit: want a whole number",
		`{"limit":1e99}`: "limit: want", `{"limit":[]}`: "limit: want", `{"query":{}}`: "query: want a text", `[1]`: "no JSON object", `"x"`: "no JSON object",
	} {
		var a searchArguments
		if err := decode(json.RawMessage(raw), &a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", raw, a, err)
		}
	}
	if err := decode(json.RawMessage(`{"skipped":"perhaps"}`), &l); err == nil || !strings.Contains(err.Error(), "skipped: want true or false") {
		t.Error(err)
	}
}
