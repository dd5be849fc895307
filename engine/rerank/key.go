package rerank

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Key says which queries share a threshold: those of one model and domain with
// about as many candidates, of which about the same share is wanted. Its text
// form is a key for a store; those of one model have a prefix in common.
type Key struct {
	Model  string // not empty
	Domain Domain
	Size   int // bucket of the number of candidates: 2^Size up to 2^(Size+1)-1
	Share  int // bucket of K over candidates: an index of shares
}

// shares are the buckets of K over candidates, in hundredths: each goes up to
// and with its number, and begins after the one before.
var shares = []int{5, 10, 25, 50, 100}

// KeyOf is the key of a query that wants the best k of n candidates, both at
// least 1. More than n is all of them.
func KeyOf(model string, domain Domain, n, k int) Key {
	key := Key{Model: model, Domain: domain, Size: bits.Len(uint(max(n, 1))) - 1}
	for key.Share < len(shares)-1 && 100*k > shares[key.Share]*n {
		key.Share++
	}
	return key
}

// String is the text form, as in "minilm prob n16-31 k25-50%".
func (k Key) String() string {
	low := 0
	if k.Share > 0 && k.Share <= len(shares) {
		low = shares[k.Share-1]
	}
	high := shares[min(max(k.Share, 0), len(shares)-1)]
	return fmt.Sprintf("%s %s n%d-%d k%d-%d%%", k.Model, k.Domain, 1<<k.Size, 1<<(k.Size+1)-1, low, high)
}

// errKey is the reason that a text is no key.
var errKey = errors.New(`not a key such as "minilm prob n16-31 k25-50%"`)

// ParseKey reads the text form.
func ParseKey(text string) (Key, error) {
	key, err := parseKey(text)
	if err != nil || key.String() != text {
		return Key{}, fmt.Errorf("rerank: %q: %w", text, errKey)
	}
	return key, nil
}

// parseKey reads what the text form says twice only once; ParseKey compares.
func parseKey(text string) (Key, error) {
	parts := strings.Split(text, " ")
	at := len(parts) - 3 // a model's name may have spaces
	if at < 1 {
		return Key{}, errKey
	}
	key := Key{Model: strings.Join(parts[:at], " ")}
	if parts[at] == Raw.String() {
		key.Domain = Raw
	}
	low, _, _ := strings.Cut(strings.TrimPrefix(parts[at+1], "n"), "-")
	n, err := strconv.Atoi(low)
	if err != nil || n < 1 || key.Model == "" {
		return Key{}, errKey
	}
	key.Size = bits.Len(uint(n)) - 1
	_, high, _ := strings.Cut(strings.TrimSuffix(parts[at+2], "%"), "-")
	for _, share := range shares[:len(shares)-1] {
		if strconv.Itoa(share) != high {
			key.Share++
			continue
		}
		break
	}
	return key, nil
}
