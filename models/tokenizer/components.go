package tokenizer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"dowse/models/tokenizer/internal/split"
)

// part is a normalizer or pre-tokenizer of a tokenizer.json: the fields of all
// kinds together.
type part struct {
	Type          string `json:"type"`
	Normalizers   []part `json:"normalizers"`
	Pretokenizers []part `json:"pretokenizers"`

	Pattern struct {
		String *string `json:"String"`
		Regex  *string `json:"Regex"`
	} `json:"pattern"`
	Content    string `json:"content"`              // Replace
	Prepend    string `json:"prepend"`              // Prepend
	StripLeft  bool   `json:"strip_left"`           // Strip
	StripRight bool   `json:"strip_right"`          // Strip
	Charsmap   []byte `json:"precompiled_charsmap"` // Precompiled

	Behavior         string  `json:"behavior"`          // Split
	Invert           bool    `json:"invert"`            // Split
	IndividualDigits bool    `json:"individual_digits"` // Digits
	UseRegex         *bool   `json:"use_regex"`         // ByteLevel; null: true
	AddPrefixSpace   *bool   `json:"add_prefix_space"`  // ByteLevel, Metaspace; null: true
	Replacement      string  `json:"replacement"`       // Metaspace
	PrependScheme    *string `json:"prepend_scheme"`    // Metaspace; null: as AddPrefixSpace
	Split            *bool   `json:"split"`             // Metaspace; null: true
}

// isOn reads a switch that is on unless it says otherwise.
func isOn(s *bool) bool { return s == nil || *s }

// flatten lists the parts of a section, those of sequences in their place.
func flatten(section string, raw json.RawMessage) ([]part, error) {
	kind, err := componentType(section, raw)
	if err != nil || kind == "null" {
		return nil, err
	}
	var p part
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", section, err)
	}
	return p.flat(), nil
}

func (p part) flat() []part {
	if p.Type != "Sequence" {
		return []part{p}
	}
	var list []part
	for _, inner := range append(p.Normalizers, p.Pretokenizers...) {
		list = append(list, inner.flat()...)
	}
	return list
}

// runsOfSpaces is the one expression that Replace may have.
const runsOfSpaces = " {2,}"

// normalizers turns the normalizer section into steps, and returns the
// character map among them.
func normalizers(raw json.RawMessage, model string) (steps []step, charsmap []byte, err error) {
	parts, err := flatten("normalizer", raw)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range parts {
		switch {
		case p.Type == "NFC":
			steps = append(steps, step{Kind: stepCompose})
		case p.Type == "Prepend":
			steps = append(steps, step{Kind: stepPrepend, To: p.Prepend})
		case p.Type == "Replace" && p.Pattern.String != nil && *p.Pattern.String != "":
			steps = append(steps, step{Kind: stepReplace, From: *p.Pattern.String, To: p.Content})
		case p.Type == "Replace" && p.Pattern.Regex != nil && *p.Pattern.Regex == runsOfSpaces:
			steps = append(steps, step{Kind: stepCollapse, To: p.Content})
		case p.Type == "Replace" && p.Pattern.Regex != nil:
			return nil, nil, fmt.Errorf("normalizer Replace of the expression %q is not supported", *p.Pattern.Regex)
		case p.Type == "Strip":
			if p.StripLeft {
				steps = append(steps, step{Kind: stepTrimLeft})
			}
			if p.StripRight {
				steps = append(steps, step{Kind: stepTrim})
			}
		case p.Type == "Precompiled" && charsmap == nil && len(p.Charsmap) > 0:
			steps, charsmap = append(steps, step{Kind: stepCharsmap}), p.Charsmap
		default:
			return nil, nil, fmt.Errorf("model %s is not supported with normalizer %s; supported: NFC, Prepend, "+
				"Replace, Strip, one Precompiled", model, p.Type)
		}
	}
	return steps, charsmap, nil
}

// preTokenizers sets the parts of p that the pre_tokenizer section describes,
// and returns whether it maps bytes to characters.
func (p *pipeline) preTokenizers(raw json.RawMessage) (byteLevel bool, err error) {
	parts, err := flatten("pre_tokenizer", raw)
	if err != nil {
		return false, err
	}
	words := false // WhitespaceSplit, which only Metaspace may follow
	for i, c := range parts {
		last := i == len(parts)-1
		switch c.Type {
		case "Digits":
			if !c.IndividualDigits || i > 0 {
				return false, fmt.Errorf("pre_tokenizer Digits is supported with individual_digits and in the first place only")
			}
			p.Digits = true
		case "Split":
			if p.splitsNothing(c) {
				continue
			}
			err = p.split(c)
		case "ByteLevel":
			byteLevel = true
			err = p.byteLevel(c, i == 0, last)
		case "WhitespaceSplit":
			words = true
			if i > 0 || last || parts[i+1].Type != "Metaspace" {
				err = fmt.Errorf("pre_tokenizer WhitespaceSplit is supported right before Metaspace only")
			}
		case "Metaspace":
			if !last || i > 0 && !words {
				return false, fmt.Errorf("pre_tokenizer Metaspace is supported alone or after WhitespaceSplit only")
			}
			err = p.metaspace(c, words)
		default:
			err = fmt.Errorf("pre_tokenizer %s is not supported; supported: ByteLevel, Split, Digits, WhitespaceSplit, Metaspace", c.Type)
		}
		if err != nil {
			return false, err
		}
	}
	if p.Pattern != split.Whole && !byteLevel {
		return false, fmt.Errorf("pre_tokenizer Split is supported before ByteLevel only")
	}
	return byteLevel, nil
}

// splitsNothing reports whether a Split is by spaces that the normalizer has
// removed, as Gemma's is.
func (p *pipeline) splitsNothing(c part) bool {
	return c.Pattern.String != nil && *c.Pattern.String == " " && c.Behavior == "MergedWithPrevious" && !c.Invert &&
		slices.ContainsFunc(p.Normalize, func(s step) bool { return s.Kind == stepReplace && s.From == " " && !strings.Contains(s.To, " ") })
}

// split reads a Split by regular expression.
func (p *pipeline) split(c part) error {
	if c.Pattern.Regex == nil || c.Behavior != "Isolated" || c.Invert || p.Pattern != split.Whole {
		return fmt.Errorf("pre_tokenizer Split is supported once, by a regular expression, with behavior Isolated")
	}
	pattern, known := split.Recognise(*c.Pattern.Regex)
	if !known {
		return fmt.Errorf("pre_tokenizer Split by the expression %q is not supported; supported: those of GPT-2, Llama 3 and Qwen2", *c.Pattern.Regex)
	}
	p.Pattern = pattern
	return nil
}

// byteLevel reads a ByteLevel pre-tokenizer.
func (p *pipeline) byteLevel(c part, first, last bool) error {
	if !last {
		return fmt.Errorf("pre_tokenizer ByteLevel is supported in the last place only")
	}
	if isOn(c.AddPrefixSpace) {
		if !first {
			return fmt.Errorf("pre_tokenizer ByteLevel with add_prefix_space is supported alone only")
		}
		p.Shape = &shape{Kind: shapeSpaces, Mark: " ", Prefix: prefixAlways}
	}
	if isOn(c.UseRegex) {
		if p.Pattern != split.Whole {
			return fmt.Errorf("pre_tokenizer ByteLevel with use_regex is not supported after Split")
		}
		p.Pattern = split.GPT2
	}
	return nil
}

// metaspace reads a Metaspace pre-tokenizer in its old or its new spelling.
func (p *pipeline) metaspace(c part, words bool) error {
	scheme := "always"
	if c.PrependScheme != nil {
		scheme = *c.PrependScheme
	} else if !isOn(c.AddPrefixSpace) {
		scheme = "never"
	}
	s := &shape{Kind: shapeSpaces, Mark: c.Replacement}
	switch scheme {
	case "always":
		s.Prefix = prefixAlways
	case "first":
		s.Prefix = prefixFirst
	case "never":
	default:
		return fmt.Errorf("pre_tokenizer Metaspace with prepend_scheme %q is not supported", scheme)
	}
	if c.Replacement != spaceMark {
		return fmt.Errorf("pre_tokenizer Metaspace with replacement %q is not supported; supported: %q", c.Replacement, spaceMark)
	}
	if words {
		if s.Prefix != prefixAlways || !isOn(c.Split) {
			return fmt.Errorf("pre_tokenizer Metaspace after WhitespaceSplit is supported with a prefix to every word only")
		}
		s.Kind = shapeWords
	}
	p.Shape = s
	if isOn(c.Split) {
		p.Spaces = cutMarks
	}
	return nil
}
