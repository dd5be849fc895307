//go:build cgo

package kernel

import "encoding/binary"

// The graph that ONNX Runtime runs, written as protocol buffers by the field
// numbers of onnx.proto:
//
//	product int32[M,N] = MatMulInteger(rows uint8[M,K], weights int8[K,N], zero = 128)

// Names in the graph.
const (
	inputRows     = "rows"
	inputWeights  = "weights"
	inputZero     = "zero"
	outputProduct = "product"
)

// Element types of onnx.proto.
const (
	onnxUint8 = 2
	onnxInt8  = 3
	onnxInt32 = 6
)

func matMulIntegerModel() []byte {
	var node message
	node.text(1, inputRows).text(1, inputWeights).text(1, inputZero)
	node.text(2, outputProduct).text(4, "MatMulInteger")

	var zero message // a scalar: no dimensions
	zero.varint(2, onnxUint8).text(8, inputZero).text(9, string([]byte{zeroPoint}))

	var graph message
	graph.nested(1, node).text(2, "projection").nested(5, zero)
	graph.nested(11, tensorValue(inputRows, onnxUint8, "M", "K"))
	graph.nested(11, tensorValue(inputWeights, onnxInt8, "K", "N"))
	graph.nested(12, tensorValue(outputProduct, onnxInt32, "M", "N"))

	var operators message // OperatorSetIdProto of the default domain
	operators.varint(2, 13)

	var model message
	model.varint(1, 8).nested(7, graph).nested(8, operators) // 8: IR of ONNX 1.10
	return model
}

// tensorValue is a ValueInfoProto of a tensor with named dimensions.
func tensorValue(name string, element uint64, dimensions ...string) message {
	var shape message
	for _, d := range dimensions {
		var dimension message
		dimension.text(2, d)
		shape.nested(1, dimension)
	}
	var tensor, kind, value message
	tensor.varint(1, element).nested(2, shape)
	kind.nested(1, tensor)
	value.text(1, name).nested(2, kind)
	return value
}

// message is a protocol-buffer message under construction.
type message []byte

// Wire types of protocol buffers.
const (
	wireVarint = 0
	wireBytes  = 2
)

func (m *message) varint(field int, value uint64) *message {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|wireVarint)
	*m = binary.AppendUvarint(*m, value)
	return m
}

func (m *message) text(field int, value string) *message {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(value)))
	*m = append(*m, value...)
	return m
}

func (m *message) nested(field int, value message) *message { return m.text(field, string(value)) }
