package book

const (
	maxBlock = 4 << 20 // bytes; as in the DjVu 3 specification
	freqs    = 4       // recent bytes that are counted
)

// bzz unpacks what DjVu packs beside pictures: blocks that Burrows and Wheeler's transform has sorted, each byte said by how
// long ago it was met. It ends after most bytes. The error is of a damaged stream.
func bzz(data []byte, most int) ([]byte, error) {
	z := newZP(data)
	var states [300]byte
	var out []byte
	for len(out) < most {
		size := z.raw(24)
		if size == 0 {
			return out, nil
		}
		if size > maxBlock {
			return out, errDamaged
		}
		block, marker := z.block(&states, size)
		if z.past > maxPast || marker < 1 {
			return out, errDamaged
		}
		out = append(out, unsorted(block, marker)...)
	}
	return out[:most], nil
}

// raw decodes a number whose bits are not expected to be anything.
func (z *zp) raw(bits int) int {
	n := 0
	for range bits {
		n = n<<1 | z.even()
	}
	return n
}

// number decodes one of some bits, each in a state of its own.
func (z *zp) number(states []byte, bits int) int {
	n := 1
	for range bits {
		n = n<<1 | z.decode(&states[n-1])
	}
	return n - 1<<bits
}

// rank decodes how long ago a byte was met: 0 is the last one, 256 the end of the text.
func (z *zp) rank(states *[300]byte, before int) int {
	const contexts = 3
	near := min(before, contexts-1)
	if z.decode(&states[near]) != 0 {
		return 0
	}
	if z.decode(&states[contexts+near]) != 0 {
		return 1
	}
	at := 2 * contexts
	for bits := 1; bits <= 7; bits++ {
		if z.decode(&states[at]) != 0 {
			return 1<<bits + z.number(states[at+1:], bits)
		}
		at += 1 << bits
	}
	return 256
}

// block decodes the bytes of a block and where its marker stands.
func (z *zp) block(states *[300]byte, size int) (data []byte, marker int) {
	slow := 0
	if z.even() != 0 {
		if slow++; z.even() != 0 {
			slow++
		}
	}
	var recent [256]byte
	for i := range recent {
		recent[i] = byte(i)
	}
	var often [freqs]int
	add, rank := 4, 3
	for i := 0; i < size && z.past <= maxPast; i++ {
		if rank = z.rank(states, rank); rank == 256 {
			data, marker = append(data, 0), i
			continue
		}
		c := recent[rank]
		data = append(data, c)
		if add += add >> slow; add > 0x10000000 {
			add >>= 24
			for k := range often {
				often[k] >>= 24
			}
		}
		count := add
		if rank < freqs {
			count += often[rank]
		}
		k := rank
		for ; k >= freqs; k-- {
			recent[k] = recent[k-1]
		}
		for ; k > 0 && count >= often[k-1]; k-- {
			recent[k], often[k] = recent[k-1], often[k-1]
		}
		recent[k], often[k] = c, count
	}
	return data, marker
}

// unsorted returns the text of a block.
func unsorted(data []byte, marker int) []byte {
	var count [256]int
	before := make([]int32, len(data)) // how many equal bytes stand before each
	for i, c := range data {
		if i != marker {
			before[i] = int32(count[c])
			count[c]++
		}
	}
	first := 1
	for c, n := range count {
		count[c] = first
		first += n
	}
	out := make([]byte, len(data)-1)
	for i, at := 0, len(out)-1; at >= 0; at-- {
		c := data[i]
		out[at] = c
		i = count[c] + int(before[i])
	}
	return out
}
