package pack

import "fmt"

// ReadRow reads the row of one layer and input channel alone, into a buffer that starts
// at a multiple of 4096 and has room for it and two times 4096 bytes, and returns where
// it lies. Like records it is not compared with a checksum.
func (r *Rows) ReadRow(layer int, b Bundle, channel int, buffer []byte) ([]byte, error) {
	if layer < 0 || layer >= r.layout.Layers {
		return nil, fmt.Errorf("read row: layer %d of %d", layer, r.layout.Layers)
	}
	group := layer / r.layout.GroupLayers
	if err := r.layout.checkRecords(group, b, channel, channel+1); err != nil {
		return nil, fmt.Errorf("read row: %w", err)
	}
	size := int64(r.layout.RowBytes(b))
	at := int64(channel)*int64(r.layout.RecordBytes(group, b)) + int64(layer%r.layout.GroupLayers)*size
	page := at &^ (blockAlign - 1)
	end := align(at+size, blockAlign) - page
	if int64(len(buffer)) < end {
		return nil, fmt.Errorf("read row: a buffer of %d bytes for %d", len(buffer), end)
	}
	if err := r.read(buffer[:end], r.header.Blocks[bundlePlace(group, b)].Offset+page); err != nil {
		return nil, fmt.Errorf("row of %s: %w", bundleBlock(group, b), err)
	}
	return buffer[at-page : at-page+size : at-page+size], nil
}
