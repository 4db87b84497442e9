import type { Socket } from 'node:net'

const start = /^HTTP\/1\.[01] 100[ \r]/
const longestStart = 'HTTP/1.1 100 '.length
const longestHead = 16_384

/**
 * Some servers say "100 Continue" before their answer although nobody asked. It means nothing, and clients have to put up with it
 * (RFC 9110, 15.2); undici breaks off instead, and the fate of a write would be unknown. So these heads are taken out of what it reads
 * first after it has written: the answer begins there.
 */
export function skipInterimResponses(socket: Socket): void {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket)
  let held: Buffer | undefined
  socket.write = (...request: unknown[]): boolean => {
    held ??= Buffer.alloc(0)
    return Boolean(Reflect.apply(write, socket, request))
  }
  socket.read = (): unknown => {
    while (held !== undefined) {
      const chunk: unknown = read()
      if (chunk instanceof Buffer) held = Buffer.concat([held, chunk])
      const rest = afterContinue(held)
      if (rest === held && chunk === null) return null
      if (rest !== undefined) held = rest
      else {
        const answer = held
        held = undefined
        return answer
      }
    }
    return read()
  }
}

/** What comes after such a head; the same bytes while it cannot be told yet; undefined when they are no such head. */
function afterContinue(bytes: Buffer): Buffer | undefined {
  const text = bytes.toString('latin1', 0, longestHead)
  if (!start.test(text)) return couldBecome(text) ? bytes : undefined
  const end = text.indexOf('\r\n\r\n')
  if (end >= 0) return bytes.subarray(end + 4)
  return bytes.length < longestHead ? bytes : undefined
}

function couldBecome(text: string): boolean {
  return text.length < longestStart && ['HTTP/1.1 100 ', 'HTTP/1.0 100 '].some((head) => head.startsWith(text))
}
