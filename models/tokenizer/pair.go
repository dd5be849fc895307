package tokenizer

// EncodeDocument returns the ids of text with the special tokens of a single
// text ([CLS] text [SEP]), at most maxTokens in all: the end of the text is cut
// off. maxTokens <= 0 means no limit.
func (t *Tokenizer) EncodeDocument(text string, maxTokens int) []int32 {
	budget := noLimit
	if maxTokens > 0 {
		budget = max(0, maxTokens-t.Overhead())
	}
	ids := make([]int32, 0, min(len(text)/3, budget)+t.Overhead())
	for _, item := range t.settings.Single {
		if item.Text == 1 {
			ids = t.appendUpTo(ids, text, budget)
		} else {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// EncodePair returns the ids of a query and a passage with a pair's special
// tokens ([CLS] query [SEP] passage [SEP]) and each id's segment, at most
// maxTokens in all (<= 0: no limit). The passage is cut first; the query keeps
// at least half of the room.
func (t *Tokenizer) EncodePair(query, passage string, maxTokens int) (ids []int32, types []uint8) {
	budget := noLimit
	if maxTokens > 0 {
		budget = max(0, maxTokens-overhead(t.settings.Pair))
	}
	texts := [2][]int32{t.appendUpTo(nil, query, budget), t.appendUpTo(nil, passage, budget)}
	n1, n2 := splitBudget(len(texts[0]), len(texts[1]), budget)
	texts[0], texts[1] = texts[0][:n1], texts[1][:n2]
	for _, item := range t.settings.Pair {
		if item.Text == 0 {
			ids = append(ids, item.ID)
		} else {
			ids = append(ids, texts[item.Text-1]...)
		}
		for len(types) < len(ids) {
			types = append(types, item.Type)
		}
	}
	return ids, types
}

// queryShare is the part of the room that a query keeps: one half.
const queryShare = 2

// splitBudget returns how many ids of a query of n1 and a passage of n2 ids stay
// when budget ids are left for both.
func splitBudget(n1, n2, budget int) (int, int) {
	if n1 <= budget-n2 {
		return n1, n2
	}
	n1 = min(n1, max(budget/queryShare, budget-n2))
	return n1, budget - n1
}

// Overhead returns the number of special tokens that EncodeDocument adds.
func (t *Tokenizer) Overhead() int { return overhead(t.settings.Single) }
