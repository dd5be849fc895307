package passage

import (
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/internal/fold"
)

// FileText cuts what a request asks for out of the text of a file, without what only the index
// knows of it. Any numbers will do: they may come from another process.
func FileText(text *engine.Text, req engine.ReadRequest) (*engine.FileText, error) {
	asked, err := stretchOf(text, req)
	if err != nil {
		return nil, err
	}
	cut := asked
	if req.Bytes > 0 && cut.end-cut.start > req.Bytes {
		cut.end = cut.start + wholeLines(text.Body[cut.start:], req.Bytes)
	}
	out := &engine.FileText{
		Path: req.Path, Text: text.Body[cut.start:cut.end], Secret: text.Secret, Size: len(text.Body),
		LineStart: text.Line(cut.start), LineEnd: text.Line(max(cut.start, cut.end-1)), Where: engine.Where{Extracted: text.Extracted},
	}
	if cut.end < asked.end {
		out.Next, out.End = cut.end, asked.end
	}
	if text.Places != nil {
		for _, mark := range text.Places(cut.start, cut.end) {
			if mark.Offset > 0 {
				out.Places = append(out.Places, mark)
			} else {
				out.Locator = &mark.Locator
			}
		}
	}
	return out, nil
}

// stretchOf returns what of a text is asked for.
func stretchOf(text *engine.Text, req engine.ReadRequest) (s piece, err error) {
	all := piece{0, len(text.Body)}
	switch {
	case req.Offset > 0 || req.End > 0:
		s.start = wholeRune(text.Body, max(0, min(req.Offset, all.end)))
		s.end = wholeRune(text.Body, max(s.start, min(req.End, all.end)))
		return s, nil
	case req.Place != "":
		s, err = placed(text, req)
	default:
		s = all
		if req.From > 1 {
			s.start = offset(text, func(line int) bool { return line >= req.From })
		}
		if req.From > 1 && s.start == all.end {
			err = fmt.Errorf("%w: line %d of %s: it has %d", engine.ErrNoPlace, req.From, req.Path, lastLine(text))
		}
	}
	if err == nil && req.Lines > 0 {
		s.end = s.start + firstLines(text.Body[s.start:s.end], req.Lines)
	}
	return s, err
}

// lastLine is the number of the last line of a text, 0 of an empty one.
func lastLine(text *engine.Text) int {
	if text.Body == "" {
		return 0
	}
	return text.Line(len(text.Body) - 1)
}

// firstLines is the length of the first n lines.
func firstLines(body string, n int) (length int) {
	for line := range strings.Lines(body) {
		if n == 0 {
			break
		}
		length, n = length+len(line), n-1
	}
	return length
}

// wholeLines is the length of what fits into so many bytes: whole lines where these fill half of
// it, or else the beginning of a line too, and a character at least.
func wholeLines(body string, bytes int) int {
	length := wholeRune(body, min(bytes, len(body)))
	if end := strings.LastIndexByte(body[:length], '\n'); length < len(body) && end+1 >= max(1, bytes/2) {
		return end + 1
	}
	for length == 0 || length < len(body) && body[length]&0xC0 == 0x80 {
		length++
	}
	return length
}

// placed returns the part of a text that the place of a request names.
func placed(text *engine.Text, req engine.ReadRequest) (s piece, err error) {
	var marks []engine.LocatorMark
	if text.Places != nil {
		marks = text.Places(0, len(text.Body))
	}
	if len(marks) == 0 {
		return s, fmt.Errorf("%w: %s has no pages, sheets or other parts; name a line", engine.ErrNoPlace, req.Path)
	}
	wanted := fold.String(strings.TrimSpace(req.Place))
	first := -1
	for i, mark := range marks {
		if within(mark.Locator, wanted) {
			if first < 0 {
				first = i
			}
			continue
		}
		if first >= 0 {
			return piece{marks[first].Offset, mark.Offset}, nil
		}
	}
	if first < 0 {
		return s, fmt.Errorf("%w: %s has no %q; its parts go from %q to %q", engine.ErrNoPlace, req.Path, req.Place, marks[0].Label, marks[len(marks)-1].Label)
	}
	return piece{marks[first].Offset, len(text.Body)}, nil
}

// within reports whether a place is the one that a folded text names, or lies in it. A name
// alone will do, such as that of a sheet, and so will a label without what stands in brackets behind it.
func within(place engine.Locator, wanted string) bool {
	label := fold.String(place.Label)
	if label == wanted || strings.HasPrefix(label, wanted+", ") || strings.HasPrefix(label, wanted+" (") {
		return true
	}
	for _, part := range place.Parts {
		if part.Name != "" && fold.String(part.Name) == wanted {
			return true
		}
	}
	return false
}
