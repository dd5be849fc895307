package rerank

import (
	"fmt"
	"math/bits"
)

// Key is what queries with a common threshold share: model, domain, about the number of candidates
// and the share to return. Its text form is a store's key; keys of a model share a prefix.
type Key struct {
	Model  string // not empty
	Domain Domain
	Size   int // 2^Size to 2^(Size+1)-1 candidates
	Share  int // index of shares
}

// shares are the inclusive upper bounds of K over candidates, in percent.
var shares = []int{5, 10, 25, 50, 100}

// KeyOf returns the key of a query for the best k of n candidates, both at least 1.
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
