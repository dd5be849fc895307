package tokenizer

import (
	"strings"
	"testing"
)

func TestSpelledTellsScriptsThatAModelDoesNotKnow(t *testing.T) {
	tok := bert(t)
	for text, foreign := range map[string]bool{
		"how do I reset the boiler":           false,
		"kubectl rollout undo deployment/api": false,
		"Wie setze ich die Heizung zurück?":   false,
		"a b c d e":                           false, // no letter is within a word
		"2026-11-24 10:30":                    false,
		"":                                    false,
		"как сбросить котёл отопления": true,
		"πώς μηδενίζω τον λέβητα":      true,
		"बॉयलर को रीसेट कैसे करें":     true,
		"จะรีเซ็ตหม้อน้ำได้อย่างไร":    true,
		"كيف أعيد ضبط الغلاية":         true,
		"ボイラーをリセットする方法":                true,
	} {
		if got := tok.Spelled(text); got > .5 != foreign || got < 0 || got > 1 {
			t.Errorf("%.2f of %q is spelled", got, text)
		}
	}
}

// Pieces of one letter count within words, parts of words of several and words of one do
// not.
func TestSpelled(t *testing.T) {
	tok := small(t)
	for text, want := range map[string]float64{
		"unable":    0,      // un ##able
		"a b":       0,      // words of one letter
		"aa":        1,      // a ##a
		"aa b":      2. / 3, // a ##a, b
		"unknown":   1,      // no piece
		"b unknown": 7. / 8, // the same behind a word
		"una":       1. / 3, // un ##a
		"aa.":       1,      // marks are no letters
		"中中":        0,      // each a word
		"中国":        1. / 2, // one of them unknown
		"unable國x":  2. / 8, // two that are unknown
	} {
		if got := tok.Spelled(text); got != want {
			t.Errorf("%.3f of %q is spelled, want %.3f: %v", got, text, want, tok.Encode(text))
		}
	}
}

// Byte-level models cut characters into several pieces.
func TestSpelledByBytes(t *testing.T) {
	tok := family(t, "shared/gpt2-bpe")
	for text, foreign := range map[string]bool{
		"how do I reset the boiler":  false,
		"บอยเลอร์":                   true,
		"\xff\xfe\x80":               false,
		strings.Repeat("é", 8) + "x": true,
	} {
		if got := tok.Spelled(text); got > .5 != foreign || got < 0 || got > 1 {
			t.Errorf("%.2f of %q is spelled: %v", got, text, tok.Encode(text))
		}
	}
}
