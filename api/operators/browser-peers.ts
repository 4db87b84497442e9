import { lookup } from 'node:dns/promises'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { BrowserService } from '../../config.ts'

const lookEveryMs = 10_000

/**
 * Keeps the browser service's machine, which shares a network with operators' ports, off them: code
 * that escapes from Chromium reads nothing there. A service on this very machine cannot be
 * distinguished from other processes here. Returns a function that ends the check.
 */
export async function keepBrowsersOut(
  { url }: BrowserService,
  servers: readonly Server[],
  isOwn: (address: string) => boolean = isOwnAddress,
): Promise<() => void> {
  const { hostname } = new URL(url)
  let peers: ReadonlySet<string> = new Set()
  const look = async (): Promise<void> => {
    try {
      const found = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true })
      peers = new Set(found.map(({ address }) => address).filter((address) => !isOwn(address)))
    } catch {
      // The name does not resolve: the last known addresses stay blocked.
    }
  }
  for (const server of servers)
    server.on('connection', (socket) => {
      if (peers.has((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))) socket.destroy()
    })
  await look()
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return () => clearInterval(timer)
}

function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return address.startsWith('127.') || own.some((one) => one.address === address)
}
