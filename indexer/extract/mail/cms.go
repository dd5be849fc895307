package mail

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"

	"dowse/indexer/document"
)

// This is a walk of BER, with and without lengths, of as much of RFC 5652 as leads to the content. smallstep/pkcs7 v0.2.3 reads
// certificates and signatures as well, recurses as deep as its input says (40 MB of elements within elements overflow the
// stack, which ends the process), and knows no compressed data.

// Types of content of the Cryptographic Message Syntax (RFC 5652, RFC 3274, RFC 5083), each an object identifier in BER.
const (
	cmsData       = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
	cmsSigned     = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	cmsEnveloped  = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"
	cmsBoth       = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x04" // signed and enveloped
	cmsEncrypted  = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x06"
	cmsCompressed = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x09"
	cmsAuthEnv    = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17"
)

// Tags of BER that CMS begins with.
const (
	berOctets   = 0x04
	berOID      = 0x06
	berPieces   = 0x24 // octets in pieces
	berSequence = 0x30
	berExplicit = 0xa0
)

// maxWraps is how often signed data is signed again, at most, and how deep pieces of octets lie in each other.
const maxWraps = 8

var (
	errBER     = errors.New("it is no message of CMS")
	errNothing = errors.New("it encloses nothing")
)

// enclosed returns what a message of CMS encloses, which is in PEM or base64, too. Nothing is verified. The error wraps
// document.ErrEncrypted, document.ErrBounds, errNothing for certificates alone and for signatures of another file, or
// says what is damaged.
func enclosed(in *document.Input, data []byte) ([]byte, error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] != berSequence {
		data = unbase64(withoutFrame(trimmed))
	}
	for range maxWraps {
		kind, body, err := cmsMessage(data)
		if err != nil {
			return nil, err
		}
		if data, err = cmsContent(in, kind, body); err != nil {
			return nil, err
		}
		if _, _, err := cmsMessage(data); err != nil {
			return data, nil
		}
	}
	return nil, errBER
}

// withoutFrame leaves out the first and the last line of PEM.
func withoutFrame(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte("-----")) {
			out = append(out, line...)
		}
	}
	return out
}

// cmsMessage returns the type of a message, and what follows it.
func cmsMessage(data []byte) (kind string, body []byte, err error) {
	outer, _, err := ber(data, berSequence)
	if err != nil {
		return "", nil, err
	}
	oid, rest, err := ber(outer, berOID)
	if err != nil {
		return "", nil, err
	}
	body, _, err = ber(rest, berExplicit)
	if !bytes.HasPrefix(oid, []byte(cmsData[:7])) {
		err = errBER
	}
	return string(oid), body, err
}

// cmsContent returns the octets in a message of some type.
func cmsContent(in *document.Input, kind string, body []byte) ([]byte, error) {
	switch kind {
	case cmsEnveloped, cmsBoth, cmsEncrypted, cmsAuthEnv:
		return nil, document.ErrEncrypted
	case cmsData:
		return octets(nil, body, 0)
	case cmsSigned, cmsCompressed:
	default:
		return nil, errBER
	}
	fields, _, err := ber(body, berSequence)
	sequences := 1
	if kind == cmsCompressed {
		sequences = 2 // the first names the algorithm; zlib is the only one
	}
	for sequences > 0 && err == nil {
		var tag byte
		if tag, body, fields, err = berAny(fields); tag == berSequence {
			sequences--
		}
	}
	if err != nil {
		return nil, err
	}
	_, rest, err := ber(body, berOID)
	if err != nil {
		return nil, err
	}
	content, _, err := ber(rest, berExplicit)
	if err != nil {
		return nil, errNothing
	}
	data, err := octets(nil, content, 0)
	if err != nil || kind == cmsSigned {
		return data, err
	}
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBER, err)
	}
	if data, err = in.Unpack(r, 0); err != nil {
		return nil, fmt.Errorf("its compressed content: %w", err)
	}
	return data, nil
}

// octets returns those of a string, which may be in pieces. Of a damaged one what came stays.
func octets(out, data []byte, depth int) ([]byte, error) {
	for len(data) > 0 {
		tag, body, rest, err := berAny(data)
		switch {
		case err == nil && tag == berOctets:
			out = append(out, body...)
		case err == nil && tag == berPieces && depth < maxWraps:
			out, err = octets(out, body, depth+1)
		default:
			err = errBER
		}
		if err != nil && len(out) == 0 {
			return nil, err
		}
		if err != nil {
			break
		}
		data = rest
	}
	return out, nil
}

// ber returns the body of the element that data begins with, which has to be of some tag.
func ber(data []byte, wanted byte) (body, rest []byte, err error) {
	tag, body, rest, err := berAny(data)
	if err == nil && tag != wanted {
		err = errBER
	}
	return body, rest, err
}

// berAny returns an element of BER; a truncated one has the bytes that are there.
func berAny(data []byte) (tag byte, body, rest []byte, err error) {
	head, length, err := berHead(data)
	if err != nil {
		return 0, nil, nil, err
	}
	tag, data = data[0], data[head:]
	if length >= 0 {
		length = min(length, len(data))
		return tag, data[:length], data[length:], nil
	}
	at := 0
	for open := 1; at < len(data); { // a loop, so that no depth of it is too deep
		head, length, err := berHead(data[at:])
		switch {
		case err != nil:
			return tag, data, nil, nil
		case length < 0:
			open++
		case data[at] == 0 && length == 0:
			if open--; open == 0 {
				return tag, data[:at], data[at+head:], nil
			}
		}
		at += min(head+max(length, 0), len(data)-at)
	}
	return tag, data, nil, nil
}

// berHead returns how many bytes the head of an element has, and its body: -1 where an element of two zeros ends it.
func berHead(data []byte) (head, length int, err error) {
	if len(data) < 2 || data[0]&31 == 31 { // tags of more bytes are not in CMS
		return 0, 0, errBER
	}
	n := int(data[1])
	switch {
	case n < 0x80:
		return 2, n, nil
	case n == 0x80 && data[0]&0x20 != 0:
		return 2, -1, nil
	case n == 0x80, n > 0x84, len(data) < 2+n&0x7f:
		return 0, 0, errBER
	}
	for _, b := range data[2 : 2+n&0x7f] {
		length = length<<8 | int(b)
	}
	return 2 + n&0x7f, length, nil
}
