package lexical

// Symbols of terms, in the order of their bytes.
const (
	symbols    = 40 // number of symbols, rounded up
	symbolBits = 6
	symbolTree = 1 << symbolBits
	byteTree   = 1 << 8
	classes    = 7 // see classOfSymbol

	symbolEnd   = 0
	symbolDigit = 1
	symbolLine  = 11 // the underscore
	symbolSmall = 12
	symbolOther = 38 // the byte follows
)

func symbolOf(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0' + symbolDigit
	case c == '_':
		return symbolLine
	case 'a' <= c && c <= 'z':
		return c - 'a' + symbolSmall
	}
	return symbolOther
}

func byteOf(symbol byte) byte {
	switch {
	case symbol < symbolLine:
		return symbol - symbolDigit + '0'
	case symbol == symbolLine:
		return '_'
	}
	return symbol - symbolSmall + 'a'
}

func classOfSymbol(symbol byte) int {
	switch {
	case symbol == symbolEnd:
		return 0
	case symbol < symbolLine:
		return 1
	case symbol == symbolLine:
		return 2
	case symbol >= symbolOther:
		return 3
	}
	switch byteOf(symbol) {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return 4
	case 'l', 'm', 'n', 'r', 's', 't':
		return 5
	}
	return 6
}

// term codes a term behind another.
func (e *modelEncoder) term(last string, lastShared int, term string) (shared int) {
	shared = sharedPrefix(last, term)
	e.unary(sharedContext+min(lastShared, sharedKinds-1)*numberSteps, uint64(shared), numberSteps)
	for i := shared; i <= len(term); i++ {
		symbol := byte(symbolEnd)
		if i < len(term) {
			symbol = symbolOf(term[i])
		}
		e.tree(symbolContext(last, term, i, shared), symbol, symbolBits)
		if symbol == symbolOther {
			e.tree(byteContext, term[i], 8)
		}
	}
	return shared
}

// symbolContext returns the context of the symbol at i: for the first that differs from the term
// before, that term's symbol and the previous one; for others the previous two.
func symbolContext[T string | []byte](last, term T, i, shared int) int {
	at := func(i int) byte {
		if i < 0 {
			return symbolEnd
		}
		return symbolOf(term[i])
	}
	if i == shared {
		other := byte(symbolEnd)
		if i < len(last) {
			other = symbolOf(last[i])
		}
		return firstContext + (int(other)*classes+classOfSymbol(at(i-1)))*symbolTree
	}
	return nextContext + (int(at(i-1))*classes+classOfSymbol(at(i-2)))*symbolTree
}

// term reads a term into the memory of the previous one; ok is false on damage.
func (d *modelDecoder) term(last []byte, lastShared int) (term []byte, shared int, ok bool) {
	shared = int(d.unary(sharedContext+min(lastShared, sharedKinds-1)*numberSteps, numberSteps))
	if shared > len(last) {
		return last, 0, false
	}
	context := symbolContext(last, last[:shared], shared, shared)
	for term = last[:shared]; ; {
		symbol := d.tree(context, symbolBits) & (symbolTree - 1)
		switch {
		case symbol == symbolEnd:
			return term, shared, true
		case symbol == symbolOther:
			term = append(term, d.tree(byteContext, 8))
		case symbol > symbolOther || d.Short():
			return term, 0, false
		default:
			term = append(term, byteOf(symbol))
		}
		context = symbolContext(nil, term, len(term), -1)
	}
}

func sharedPrefix[T, U string | []byte](a T, b U) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
