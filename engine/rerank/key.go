package rerank

import (
	"fmt"
	"math/bits"
)

// Key is what queries that share a threshold have in common: a model, a domain, about
// as many candidates, and about the same share of them to return. Its text form is a
// key for a store; the keys of one model have a prefix in common.
type Key struct {
	Model  string // not empty
	Domain Domain
	Size   int // bucket of the number of candidates: 2^Size up to 2^(Size+1)-1
	Share  int // bucket of K over candidates: an index of shares
}

// shares are the buckets of K over candidates, in hundredths: each goes up to
// and with its number, and begins after the one before.
var shares = []int{5, 10, 25, 50, 100}

// KeyOf returns the key of a query for the best k of n candidates, both at
// least 1. More than n is all of them.
func KeyOf(model string, domain Domain, n, k int) Key {
	key := Key{Model: model, Domain: domain, Size: bits.Len(uint(max(n, 1))) - 1}
	for key.Share < len(shares)-1 && 100*k > shares[key.Share]*n {
		key.Share++
	}
	return key
}

// String returns the text form, as in "minilm prob n16-31 k25-50%".
func (k Key) String() string {
	low := 0
	if k.Share > 0 && k.Share <= len(shares) {
		low = shares[k.Share-1]
	}
	high := shares[min(max(k.Share, 0), len(shares)-1)]
	return fmt.Sprintf("%s %s n%d-%d k%d-%d%%", k.Model, k.Domain, 1<<k.Size, 1<<(k.Size+1)-1, low, high)
}
