package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/fstest"
	"testing/iotest"
)

// open reads a file of these bytes.
func open(data []byte) (*File, error) {
	in, err := fstest.MapFS{"f": &fstest.MapFile{Data: data}}.Open("f")
	if err != nil {
		return nil, err
	}
	return Open(in)
}

func readAll(data []byte) ([]byte, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(f)
	return got, errors.Join(err, f.Close())
}

// numbers are alike in one byte of two, as exponents are.
func numbers(n int) []byte {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
		if i%2 == 1 {
			data[i] = 0x3c + data[i]%4
		}
	}
	return data
}

func pack(t *testing.T, data []byte, width int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, data, width); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What is read is what was packed, whatever its length, and whatever is asked for at a time.
func TestReadsWhatWasPacked(t *testing.T) {
	for _, n := range []int{0, HeadBytes + 1, HeadBytes + chunkBytes + 2} {
		data := numbers(n)
		for width := 1; width <= 2; width++ {
			small := pack(t, data, width)
			f, err := open(small)
			if err != nil {
				t.Fatal(err)
			}
			if f.Size() != int64(n) {
				t.Errorf("%d bytes have the size %d", n, f.Size())
			}
			if err := iotest.TestReader(f, data); err != nil {
				t.Errorf("%d bytes, width %d: %v", n, width, err)
			}
		}
		if got, err := readAll(data); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes that are not packed: %d, %v", n, len(got), err)
		}
	}
}

// Planes are what makes numbers of two bytes small, and the same ones each time.
func TestPlanesAreSmaller(t *testing.T) {
	data := numbers(HeadBytes + 2*chunkBytes)
	again := pack(t, data, 2)
	narrow, wide := len(pack(t, data, 1)), len(again)
	if !bytes.Equal(pack(t, data, 2), again) {
		t.Error("packed anew they differ")
	}
	if entropy := HeadBytes + 2*chunkBytes*10/16; wide > entropy*101/100 || wide >= narrow {
		t.Errorf("%d bytes take %d by planes, %d without, %d by entropy", len(data), wide, narrow, entropy)
	}
	if err := Write(io.Discard, data, 4); err == nil {
		t.Error("a width of 4 is packed")
	}
}

// A head costs nothing: it is read where all that follows is damaged.
func TestHeadIsReadAlone(t *testing.T) {
	data := numbers(HeadBytes + chunkBytes)
	small := pack(t, data, 2)
	f, err := open(append(small[:fixed+HeadBytes:fixed+HeadBytes], "not zstd"...))
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, HeadBytes)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.Equal(head, data[:HeadBytes]) {
		t.Errorf("the head is not that of the file: %v", err)
	}
	if _, err := io.ReadAll(f); !errors.Is(err, errDamaged) {
		t.Errorf("what follows: %v", err)
	}
}

// Damage behind the head is told of, and so is what is missing or too much.
func TestDamageIsToldOf(t *testing.T) {
	data := numbers(HeadBytes + 999)
	small := pack(t, data, 2)
	spoilt := map[string][]byte{
		"more": append(bytes.Clone(small), small[fixed+HeadBytes:]...), // another frame
		"size": append(append([]byte(magic), 255, 255, 255, 255, 255, 255, 255, 255), small[16:]...),
	}
	for end := len(magic); end < len(small); end += 7 {
		if end < fixed { // too short to be a packed file
			continue
		}
		spoilt[fmt.Sprintf("cut at %d", end)] = small[:end]
	}
	for at := fixed + HeadBytes; at < len(small); at++ {
		other := bytes.Clone(small)
		other[at] ^= 1 << (at % 8)
		spoilt[fmt.Sprintf("bit of %d", at)] = other
	}
	for at := 16; at < fixed; at++ {
		other := bytes.Clone(small)
		other[at] ^= 64
		spoilt[fmt.Sprintf("head %d", at)] = other
	}
	for what, file := range spoilt {
		if got, err := readAll(file); !errors.Is(err, errDamaged) && !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", what, len(got), err)
		}
	}
}
