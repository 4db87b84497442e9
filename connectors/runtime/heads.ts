import type { Socket } from 'node:net'
import { strictHead } from './loose-heads.ts'

const longestHead = 16_384
/** Any 1xx but 101, after which the connection is no longer HTTP. */
const interim = /^(?:\r?\n)*HTTP\/1\.[01][ \t]+1(?!01)\d\d\b/i

/**
 * Unsolicited interim answers, such as "100 Continue", mean nothing, and clients have to accept
 * them (RFC 9110, 15.2). undici fails instead, which would leave the fate of a write unknown. So
 * this removes them from what undici reads after a request, and makes the final head strict.
 */
export function mendHeads(socket: Socket): void {
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
      const end = endOfHead(held)
      if (end === undefined && chunk === null) return null
      if (end === undefined) continue
      const head = held.toString('latin1', 0, end)
      const rest = held.subarray(end)
      if (interim.test(head)) {
        held = rest
        continue
      }
      held = undefined
      return Buffer.concat([Buffer.from(strictHead(head), 'latin1'), rest])
    }
    return read()
  }
}

/** Undefined: incomplete; 0: these bytes are not a head that can be fixed. */
function endOfHead(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1', 0, longestHead)
  const start = /^(?:\r?\n)*/.exec(text)?.[0].length ?? 0
  const begin = text.slice(start, start + 5).toUpperCase()
  if (!'HTTP/'.startsWith(begin)) return 0
  const end = /\n\r?\n/.exec(text.slice(start))
  if (end) return start + end.index + end[0].length
  return bytes.length < longestHead ? undefined : 0
}
