package mapi

import (
	"encoding/binary"
	"errors"
)

// lzfuStart is what the dictionary holds at first ([MS-OXRTFCP] 2.1.2.1).
const lzfuStart = "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial" +
	"Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"

const (
	lzfuHeader     = 16 // bytes: two sizes, the way of packing, a checksum
	lzfuDictionary = 4096
	lzfuPacked     = "LZFu"
	lzfuPlain      = "MELA"
)

// errNotRTF is the error of a property that is no compressed RTF.
var errNotRTF = errors.New("it is no compressed RTF")

// Unpack returns the RTF that a message keeps compressed ([MS-OXRTFCP]), as far as it can be unpacked. Seventeen bytes
// come out of two at most. Sizes and checksum are ignored, since damaged messages have wrong ones.
func Unpack(data []byte) ([]byte, error) {
	if len(data) < lzfuHeader {
		return nil, errNotRTF
	}
	packed := data[lzfuHeader:]
	switch string(data[8:12]) {
	case lzfuPlain:
		size := binary.LittleEndian.Uint32(data[4:])
		return packed[:min(uint64(size), uint64(len(packed)))], nil
	case lzfuPacked:
		return unpackLZFu(packed), nil
	}
	return nil, errNotRTF
}

func unpackLZFu(packed []byte) []byte {
	var dictionary [lzfuDictionary]byte
	at := copy(dictionary[:], lzfuStart) // where the next byte is written
	out := make([]byte, 0, 3*len(packed))
	add := func(c byte) {
		out = append(out, c)
		dictionary[at] = c
		at = (at + 1) % lzfuDictionary
	}
	for len(packed) > 0 {
		control := packed[0]
		packed = packed[1:]
		for bit := range 8 {
			if control>>bit&1 == 0 {
				if len(packed) == 0 {
					return out
				}
				add(packed[0])
				packed = packed[1:]
				continue
			}
			if len(packed) < 2 {
				return out
			}
			reference := binary.BigEndian.Uint16(packed)
			packed = packed[2:]
			from := int(reference >> 4)
			if from == at { // the end
				return out
			}
			for i := range int(reference&15) + 2 {
				add(dictionary[(from+i)%lzfuDictionary])
			}
		}
	}
	return out
}
