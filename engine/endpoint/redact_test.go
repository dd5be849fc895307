package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const testKey = "sk-Proj/9f+Q2=xyz~Wm4Kd7Lb1"

// forms are what a server may make of the key.
func forms() map[string]string {
	var every strings.Builder
	for _, c := range []byte(testKey) {
		fmt.Fprintf(&every, "%%%02x", c)
	}
	return map[string]string{
		"whole": testKey, "header": "Bearer " + testKey, "first half": testKey[:13], "second half": testKey[13:], "middle": testKey[6:16],
		"query": url.QueryEscape(testKey), "path": url.PathEscape(testKey), "every letter": every.String(), "upper case": strings.ToUpper(testKey),
		"masked": testKey[:9] + "********" + testKey[18:], "twice": testKey + testKey,
	}
}

// keeps reports whether text still has a piece of the key.
func keeps(text string) bool {
	plain, err := url.PathUnescape(text)
	if err != nil {
		plain = text
	}
	for _, t := range []string{text, plain} {
		for i := 0; i+leastPiece <= len(testKey); i++ {
			if strings.Contains(strings.ToLower(t), strings.ToLower(testKey[i:i+leastPiece])) {
				return true
			}
		}
	}
	return false
}

func TestKeyIsNotRepeated(t *testing.T) {
	for name, form := range forms() {
		said := "not allowed: " + form + ", really"
		quoted, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		var letters []string // one event each, which cut the key wherever they can
		for _, r := range said {
			letters = append(letters, delta(string(r)))
		}
		for kind, handler := range map[string]http.HandlerFunc{
			"stream": stream(append(letters, stops, done)...),
			"in one": stream(delta(said), stops, done),
			"no end": stream(delta("not allowed: "), delta(form+", really"), stops),
			"object": func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"choices":[{"message":{"content":%s}}]}`, quoted)
			},
			"status": func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, fmt.Sprintf(`{"error":{"message":%s}}`, quoted), http.StatusUnauthorized)
			},
			"event":    stream(fmt.Sprintf("data: {\"error\":{\"message\":%s}}\n\n", quoted)),
			"nonsense": stream("data: " + said + "\n\n"),
			"redirect": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "https://"+url.PathEscape(form)+".example/")
				w.WriteHeader(http.StatusFound)
			},
		} {
			o := brief(serve(t, handler).URL)
			o.Key = testKey
			reply, emitted, err := chat(t.Context(), t, o)
			for _, text := range []string{reply.Text, emitted, fmt.Sprint(err)} {
				if keeps(text) {
					t.Errorf("%s, %s: %q", name, kind, text)
				}
			}
			if whole := err == nil; whole && (!strings.HasPrefix(emitted, "not allowed: ") || !strings.HasSuffix(emitted, ", really") || !strings.Contains(emitted, redacted)) {
				t.Errorf("%s, %s: the rest of the reply is %q", name, kind, emitted)
			}
		}
	}
}

// TestRepliesWithoutTheKeyAreKept: neither letters that the key has as well nor a
// key that is a word change what a model wrote.
func TestRepliesWithoutTheKeyAreKept(t *testing.T) {
	const said = "Set Proj to sk-Proj, 100% of 9f+Q2 (50%2) and ask ollama; see %e9%zz at the end: sk-Pr"
	for _, key := range []string{"", testKey, "ollama"} {
		for n := 1; n < len(said); n += 7 {
			o := brief(serve(t, stream(delta(said[:n]), delta(said[n:]), stops, done)).URL)
			o.Key = key
			if _, emitted, err := chat(t.Context(), t, o); emitted != said || err != nil {
				t.Errorf("with the key %q: %q, %v", key, emitted, err)
			}
		}
	}
}
