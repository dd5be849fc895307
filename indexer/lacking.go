package indexer

// passageAt is a chunk of a prepared file.
type passageAt struct {
	p     *prepared
	chunk int
}

// lacking are the chunks of a batch that have no vector, each text of them once: a file may say one thing a million
// times, and the model would be asked as often.
type lacking struct {
	texts []string
	first []passageAt // where each text stands first
	again []repeated
	at    map[string]int // in texts
}

// repeated is a chunk with the text of an earlier one.
type repeated struct {
	passageAt
	text int // in texts
}

func newLacking() *lacking { return &lacking{at: map[string]int{}} }

// add takes the chunks of a file that have no vector.
func (l *lacking) add(p *prepared) {
	for _, i := range p.missing {
		text := p.texts[i]
		if at, known := l.at[text]; known {
			l.again = append(l.again, repeated{passageAt{p, i}, at})
			continue
		}
		l.at[text] = len(l.texts)
		l.texts, l.first = append(l.texts, text), append(l.first, passageAt{p, i})
	}
}

// repeat gives the chunks with the text of another one its vector, and returns how many these are.
func (l *lacking) repeat(dim int) int {
	for _, r := range l.again {
		from := l.first[r.text]
		copy(r.p.vectors[r.chunk*dim:], from.p.vectors[from.chunk*dim:(from.chunk+1)*dim])
	}
	return len(l.again)
}
