package spelt

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"rerank.depth", "rerank.time", "threads", "max_file", "hybrid", "status", "k"}
	for word, want := range map[string]string{
		"rerank.dept": "rerank.depth", "rernak.depth": "rerank.depth", "Threads": "threads", "max-file": "max_file",
		"hybird": "hybrid", "staus": "status", "stats": "status", "garden": "", "": "", "rerank.item": "rerank.time", "reranking": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ä", "a", 1}} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := distance([]rune(pair[0]), []rune(pair[1])); got != c.want {
				t.Errorf("%q: %d, want %d", pair, got, c.want)
			}
		}
	}
}
