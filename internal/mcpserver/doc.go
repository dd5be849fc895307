// Package mcpserver serves agents over the Model Context Protocol: they search the person's index,
// read what is in it, and change nothing. The protocol itself is the SDK's; what is said is here.
//
//   - Conn is the transport: a message a line. What is no message is answered by an error of the
//     protocol and passed over, a call that was cancelled gets no reply, and calls under way are
//     answered before the end of the input ends the session.
//   - A lent.Lender opens the index for a call and closes it soon after the last one, unless another
//     process owns it: an agent may be silent for hours, and nobody else could write.
//   - Tools take arguments as models send them: more than were asked for, numbers in quotes. A
//     wrong one is a result that says so, for the model to mend.
//   - A reply has the same content twice, as text for models and as values for programs, from one
//     Go type. Both together take MaxReply bytes at most: what has no room is counted, and a
//     cursor leads to it.
//
// Text of files is marked as data: each line of it begins with a sign that no line of ours has.
// What a file with secrets holds is not told, since agents send what they read to servers.
package mcpserver
