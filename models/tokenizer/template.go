package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A templateItem is one place of a post-processing template: a special token,
// or one of the two texts.
type templateItem struct {
	Text int   `json:"text,omitempty"` // 1 or 2; 0 means a special token
	ID   int32 `json:"id,omitempty"`
	Type uint8 `json:"type,omitempty"` // segment
}

// readTemplates reads the post_processor section. The templates are nil where
// it adds no tokens.
func readTemplates(raw json.RawMessage) (single, pair []templateItem, err error) {
	kind, err := componentType("post_processor", raw)
	if err != nil {
		return nil, nil, err
	}
	switch kind {
	case "TemplateProcessing":
		return readTemplateProcessing(raw)
	case "BertProcessing", "RobertaProcessing":
		return readFixedProcessing(raw, kind == "RobertaProcessing")
	case "Sequence":
		return readProcessors(raw)
	case "null", "ByteLevel": // the latter moves offsets only
		return nil, nil, nil
	}
	return nil, nil, fmt.Errorf("post_processor %s is not supported; supported: TemplateProcessing, BertProcessing, "+
		"RobertaProcessing, ByteLevel", kind)
}

// bareTemplates are those without special tokens.
func bareTemplates() (single, pair []templateItem) {
	return []templateItem{{Text: 1}}, []templateItem{{Text: 1}, {Text: 2, Type: 1}}
}

// readProcessors reads a sequence, in which one processor may add tokens.
func readProcessors(raw json.RawMessage) (single, pair []templateItem, err error) {
	var sequence struct {
		Processors []json.RawMessage `json:"processors"`
	}
	if err := json.Unmarshal(raw, &sequence); err != nil {
		return nil, nil, fmt.Errorf("post_processor: %w", err)
	}
	for _, p := range sequence.Processors {
		s1, s2, err := readTemplates(p)
		if err != nil {
			return nil, nil, err
		}
		if single != nil && s1 != nil {
			return nil, nil, errors.New("post_processor Sequence with two templates is not supported")
		}
		if s1 != nil {
			single, pair = s1, s2
		}
	}
	return single, pair, nil
}

// readFixedProcessing reads the templates of BERT, and those of RoBERTa, which
// doubles the separator and knows no segments.
func readFixedProcessing(raw json.RawMessage, roberta bool) (single, pair []templateItem, err error) {
	var p struct {
		SEP specialID `json:"sep"`
		CLS specialID `json:"cls"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, nil, fmt.Errorf("post_processor: %w", err)
	}
	cls, sep := templateItem{ID: int32(p.CLS)}, templateItem{ID: int32(p.SEP)}
	single = []templateItem{cls, {Text: 1}, sep}
	if roberta {
		return single, []templateItem{cls, {Text: 1}, sep, sep, {Text: 2}, sep}, nil
	}
	return single, []templateItem{cls, {Text: 1}, sep, {Text: 2, Type: 1}, {ID: int32(p.SEP), Type: 1}}, nil
}

// specialID decodes ["[SEP]", 102].
type specialID int32

func (s *specialID) UnmarshalJSON(data []byte) error {
	var name string
	var id int32
	both := []any{&name, &id}
	if err := json.Unmarshal(data, &both); err != nil {
		return err
	}
	*s = specialID(id)
	return nil
}

// templateJSON is TemplateProcessing as written.
type templateJSON struct {
	Single  []templatePiece `json:"single"`
	Pair    []templatePiece `json:"pair"`
	Special map[string]struct {
		IDs []int32 `json:"ids"`
	} `json:"special_tokens"`
}

type templatePiece struct {
	SpecialToken *templateName `json:"SpecialToken"`
	Sequence     *templateName `json:"Sequence"`
}

type templateName struct {
	ID   string `json:"id"`
	Type uint8  `json:"type_id"`
}

func readTemplateProcessing(raw json.RawMessage) (single, pair []templateItem, err error) {
	var p templateJSON
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, nil, fmt.Errorf("post_processor: %w", err)
	}
	if single, err = p.items(p.Single); err != nil {
		return nil, nil, err
	}
	if pair, err = p.items(p.Pair); err != nil {
		return nil, nil, err
	}
	return single, pair, nil
}

// items resolves the names of a template.
func (p *templateJSON) items(pieces []templatePiece) ([]templateItem, error) {
	var items []templateItem
	for _, piece := range pieces {
		switch {
		case piece.SpecialToken != nil:
			special, ok := p.Special[piece.SpecialToken.ID]
			if !ok {
				return nil, fmt.Errorf("post_processor: special token %q has no ids", piece.SpecialToken.ID)
			}
			for _, id := range special.IDs {
				items = append(items, templateItem{ID: id, Type: piece.SpecialToken.Type})
			}
		case piece.Sequence != nil && piece.Sequence.ID == "A":
			items = append(items, templateItem{Text: 1, Type: piece.Sequence.Type})
		case piece.Sequence != nil && piece.Sequence.ID == "B":
			items = append(items, templateItem{Text: 2, Type: piece.Sequence.Type})
		default:
			return nil, fmt.Errorf("post_processor: a template piece is neither a special token nor a text")
		}
	}
	return items, nil
}

// overhead counts the special tokens of a template.
func overhead(template []templateItem) int {
	n := 0
	for _, item := range template {
		if item.Text == 0 {
			n++
		}
	}
	return n
}
