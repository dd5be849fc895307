package swap

import "dowse/models/pack"

// Time is how long a token takes by the cost model of ActiveFlow 4.1, equations 1
// to 9, in seconds.
type Time struct {
	GroupLayers int     // N
	Cache       int64   // bytes of rows that are cached
	HitRate     float64 // of active rows
	Load        float64 // of the first group's rows, while nothing is computed
	Preload     float64 // of the next group's rows
	Compute     float64 // of a group
	OnDemand    float64 // of rows of a group that were not read ahead
	Token       float64 // of a token
	TokenBytes  float64 // read for a token
}

// Plan says how a model larger than the memory is run.
type Plan struct {
	Sparsity float64 // share of channels that are left out, at most the limit of quality
	Time
	// Whole reports whether all rows stay in memory. Then nothing is left out, and
	// nothing is read for a token.
	Whole bool
	// Tried are the group sizes of the search, in its order.
	Tried []Time
}

// leastGain is the share of a token's time below which larger groups are not worth
// their memory.
const leastGain = 0.05

// MakePlan chooses sparsity and group size of a model for a budget of bytes for its
// rows. The layout's own group size does not matter. The error wraps weights.ErrBudget if the
// budget holds no group of one layer.
//
// Sparsity is at most limit, what quality allows, and 1 - budget/size (ActiveFlow 4.1), at
// which all active rows fit into the budget. The group grows while reading ahead takes longer
// than computing and twice the layers make a token without a cache at least 5% faster; the
// fastest size tried is planned. Since the gain is that without a cache, it depends on the
// disk alone: at the same sparsity more memory never plans slower.
func MakePlan(l pack.RowLayout, disk DiskProfile, budget int64, limit float64) (Plan, error) {
	disk = disk.or()
	l.GroupLayers = 1
	size := modelBytes(l)
	var p Plan
	if sizes := newSwapSizes(l, 0); sizes.minimum() > budget {
		return p, (&Swapper{sizes: sizes}).check(budget)
	} else if sizes.whole(budget) {
		p.Whole = true
		p.Time = Time{GroupLayers: 1, Cache: size, HitRate: 1, Compute: float64(size) / float64(l.Layers) / disk.Memory}
		p.Token = float64(size) / disk.Memory
		return p, nil
	}
	p.Sparsity = max(0, min(limit, 1-float64(budget)/float64(size)))
	for n := 1; n <= min(8, l.Layers); n *= 2 {
		l.GroupLayers = n
		t, ok := Predict(l, disk, budget, p.Sparsity)
		if !ok {
			break
		}
		p.Tried = append(p.Tried, t)
		if p.Token == 0 || t.Token < p.Token {
			p.Time = t
		}
		if t.Preload <= t.Compute {
			break
		}
		next := l
		next.GroupLayers = 2 * n
		if without, more := swapTime(l, disk, 0, p.Sparsity).Token, swapTime(next, disk, 0, p.Sparsity).Token; more > without*(1-leastGain) {
			break
		}
	}
	return p, nil
}

// Predict returns how long a token takes with the layout's groups, and false if
// the budget is too small for them.
func Predict(l pack.RowLayout, disk DiskProfile, budget int64, sparsity float64) (Time, bool) {
	sizes := newSwapSizes(l, 0)
	if budget < sizes.minimum() {
		return Time{}, false
	}
	return swapTime(l, disk.or(), sizes.cacheBytes(budget), sparsity), true
}

// PredictWhole returns the seconds that a token takes where whole layers are read in
// their order, of which as many are kept as the budget holds.
func PredictWhole(l pack.RowLayout, disk DiskProfile, budget int64) float64 {
	disk = disk.or()
	size, sizes := float64(modelBytes(l)), newSwapSizes(l, 0)
	return max(max(0, size-float64(budget-sizes.fixed))/disk.Sequential, size/disk.Memory)
}

// Pays reports whether swapping active rows makes a token sooner than reading whole layers
// in order: it saves the rows left out, but small reads are slower.
func Pays(l pack.RowLayout, disk DiskProfile, budget int64, sparsity float64) bool {
	swap, ok := Predict(l, disk, budget, sparsity)
	return ok && swap.Token < PredictWhole(l, disk, budget)
}

// modelBytes returns the bytes of all rows, S_m.
func modelBytes(l pack.RowLayout) int64 {
	size := int64(0)
	for group := range l.Groups() {
		for b := range pack.Bundles {
			size += l.BundleBytes(group, b)
		}
	}
	return size
}

// frequent is the share of active rows that counts predict, where the residual stream does
// not: a guess of little influence.
const frequent = 0.4

// swapTime is the cost model. The paper's two bandwidths are those of the disk for a row
// and for a record of a group, and its similarity is that of what the residual stream
// feeds; other rows are read ahead one by one, those that counts tell. Equation 6 counts
// for each layer of a group.
func swapTime(l pack.RowLayout, disk DiskProfile, cache int64, sparsity float64) Time {
	size := modelBytes(l)
	t := Time{GroupLayers: l.GroupLayers, Cache: cache}
	t.HitRate = hitRate(float64(cache)/float64(size), sparsity)
	groups := float64(l.Layers) / float64(l.GroupLayers)
	for b := range pack.Bundles {
		active := float64(l.Channels[b]) * (1 - sparsity) // of a layer
		missed := active * (1 - t.HitRate)
		record, row := l.RecordBytes(0, b), l.RowBytes(b)
		alone := missed * float64(l.GroupLayers) * disk.Seconds(row)
		if b.Residual() {
			t.Preload += missed * disk.Seconds(record)
			t.OnDemand += (1 - similar) * alone
		} else {
			t.Preload += frequent * alone
			t.OnDemand += (1 - frequent) * alone
		}
		t.Compute += active * float64(l.GroupLayers*row) / disk.Memory
		t.TokenBytes += missed * float64(l.Layers*row)
	}
	t.Load = t.Preload
	t.Token = t.Load + groups*t.OnDemand + (groups-1)*max(t.Preload, t.Compute) + t.Compute
	return t
}

// hitRate estimates the share of active rows that are cached if that share of all rows is:
// halfway between chance and the most possible. With half of the rows cached and 40% left
// out a token reads a fifth of all rows; ActiveFlow 7.3 reports 18%.
func hitRate(share, sparsity float64) float64 {
	return (min(1, share) + min(1, share/(1-sparsity))) / 2
}
