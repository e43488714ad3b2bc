// Encodes a message as one unmasked text frame, which is written to every connection as it is. The
// library would encode it again for each connection.

/** The last frame of a message, and the only one; its data are text. */
const finalText = 0x81
const shortMax = 125
const mediumMax = 0xffff
/** The length follows, in two bytes or in eight. */
const mediumMark = 126
const longMark = 127
const twoTo32 = 2 ** 32

export function textFrame(message: object): Buffer {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const headLength = headLengthOf(length)
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = finalText
  if (headLength === 2) frame[1] = length
  else if (headLength === 4) {
    frame[1] = mediumMark
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = longMark
    frame.writeUInt32BE(Math.floor(length / twoTo32), 2)
    frame.writeUInt32BE(length % twoTo32, 6)
  }
  frame.write(text, headLength)
  return frame
}

function headLengthOf(length: number): 2 | 4 | 10 {
  if (length <= shortMax) return 2
  return length <= mediumMax ? 4 : 10
}
