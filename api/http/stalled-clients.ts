import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A client that takes nothing of what waits for it for so long is dropped, in ms. */
const patience = 10_000
/** It is looked at so often meanwhile. Looks are counted, not time: a process that stood still for a while has not looked. */
const looks = 10

interface Watched {
  /** What had left when it was last looked at. */
  left: number
  unread: number
}

/**
 * Drops connections whose client takes nothing of what waits for it, and what waits with them: else whoever asks for much and reads nothing
 * pins it in memory. Slow clients, and those for whom nothing waits (idle ones, long polls, quiet event streams), are left alone.
 */
export function dropStalledClients(server: Server, ms: number = patience): void {
  const watched = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { left: 0, unread: 0 })
    socket.once('close', () => watched.delete(socket))
  })
  // The live browser leaves pictures out as its client falls behind.
  server.on('upgrade', ({ socket }) => void watched.delete(socket))
  const timer = setInterval(() => {
    for (const [socket, before] of watched) {
      const left = hasLeft(socket)
      const isUnread = socket.writableLength > 0 && left === before.left
      before.left = left
      before.unread = isUnread ? before.unread + 1 : 0
      // With a reset, the system forgets what it holds for the client, too.
      if (before.unread >= looks) socket.resetAndDestroy()
    }
  }, ms / looks)
  timer.unref()
  server.on('close', () => clearInterval(timer))
}

/**
 * Moves whenever bytes leave, and does not when more are added to what waits. The system takes large pieces bit by bit; Node has no public
 * count of that, only the one that its own idle timer looks at (`_onTimeout` in lib/net.js).
 */
function hasLeft(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
