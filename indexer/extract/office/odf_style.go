package office

import (
	"strings"

	"dowse/indexer/document"
)

// odfStyle is what is known of a style of paragraphs.
type odfStyle struct {
	parent  string
	outline int
	odfSpan // of one of text
}

// odfSpan is how a stretch of a paragraph looks.
type odfSpan struct {
	shift document.Shift
	font  string
}

// styled returns the level of headings of a style, 0 where it is none of one.
func (r *odfReader) styled(name string) int {
	for range 20 {
		style, ok := r.styles["paragraph "+name]
		if n := headingLevel(strings.ToLower(strings.ReplaceAll(name, "_20_", " "))); n > 0 {
			return n
		}
		if !ok || style.outline > 0 {
			return style.outline
		}
		name = style.parent
	}
	return 0
}

// odfShift reads a position of text: "super 58%", "-33% 58%", "0% 100%".
func odfShift(position string) document.Shift {
	height, _, _ := strings.Cut(position, " ")
	switch {
	case height == "super":
		return document.Raised
	case height == "sub", strings.HasPrefix(height, "-"):
		return document.Lowered
	case strings.Trim(height, "0%") != "":
		return document.Raised
	}
	return document.OnLine
}
