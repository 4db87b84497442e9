import type { WebSocket } from 'ws'

/** Bytes that may be buffered on the socket before pictures are skipped. */
const maxBuffered = 256 * 1024

/** Sends pictures as fast as the socket drains, skipping old ones; the last one always arrives. */
export function frames(socket: WebSocket): (jpeg: Buffer) => void {
  let last: Buffer | undefined
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    if (last === undefined || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxBuffered) {
      timer = setTimeout(flush, 50)
      return
    }
    socket.send(last)
    last = undefined
  }
  return (jpeg) => {
    last = jpeg
    if (timer === undefined) flush()
  }
}
