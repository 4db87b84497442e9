import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A client that reads none of its pending data for this long (ms) is dropped. */
const patience = 10_000
/** Checks within that time. Counted, as a process that stood still for a while has not checked. */
const looks = 10

interface Watched {
  /** What had been sent at the last check. */
  left: number
  unread: number
}

/**
 * Drops connections whose client reads none of its pending data, which would stay in memory. Leaves
 * alone slow clients, and those without pending data (idle, long polls, quiet event streams).
 */
export function dropStalledClients(server: Server, ms: number = patience): void {
  const watched = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { left: 0, unread: 0 })
    socket.once('close', () => watched.delete(socket))
  })
  // The live browser skips frames when its client falls behind.
  server.on('upgrade', ({ socket }) => void watched.delete(socket))
  const timer = setInterval(() => {
    for (const [socket, before] of watched) {
      const left = hasLeft(socket)
      const isUnread = socket.writableLength > 0 && left === before.left
      before.left = left
      before.unread = isUnread ? before.unread + 1 : 0
      // A reset makes the system discard its own buffer for the client, too.
      if (before.unread >= looks) socket.resetAndDestroy()
    }
  }, ms / looks)
  timer.unref()
  server.on('close', () => clearInterval(timer))
}

/**
 * Moves as bytes leave, not as more are queued. The system takes large pieces bit by bit; Node's
 * only counter of that is private, used by its own idle timer (`_onTimeout` in lib/net.js).
 */
function hasLeft(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
