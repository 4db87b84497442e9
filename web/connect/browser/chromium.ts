import type { ChildProcess } from 'node:child_process'
import type { Browser, BrowserType, LaunchOptions } from 'playwright-core'
import { bare } from './bare-host.ts'
import { programIn } from './chromium-program.ts'
import { makeHome, placeFor } from './isolation.ts'

/** The proxy for all connections of a browser. */
export interface Proxy {
  readonly server: string
  readonly username: string
  readonly password: string
}

export interface StartedChromium {
  readonly browser: Browser
  /** Whether Chromium's own sandbox is on: it needs user namespaces. */
  readonly sandboxed: boolean
  close(): Promise<void>
}

/** A Chromium that Playwright clients connect to. */
export interface ServedChromium {
  /** On loopback; its path is a secret. */
  readonly address: URL
  readonly process: ChildProcess
  readonly sandboxed: boolean
  kill(): Promise<void>
}

const startWithin = 180_000

/**
 * Starts a Chromium that connects only to its proxy, with a user id of its own where this process
 * is root, and with its sandbox wherever that works. `scale`: pixels of its pictures per CSS pixel.
 * Throws when it cannot start, such as for a missing system library.
 */
export async function startChromium(dir: string, proxy: Proxy, scale = 1): Promise<StartedChromium> {
  const { started, sandboxed, remove } = await atHome(dir, { proxy, scale }, (type, options) => type.launch(options))
  return { browser: started, sandboxed, close: () => endThen(remove, started.close()) }
}

/** Like startChromium, for a Playwright client that connects to it. */
export async function serveChromium(dir: string, proxy: Proxy, scale: number): Promise<ServedChromium> {
  const { started, sandboxed, remove } = await atHome(dir, { proxy, scale }, (type, options) =>
    type.launchServer({ ...options, host: '127.0.0.1', port: 0 }),
  )
  const address = new URL(started.wsEndpoint())
  return { address, process: started.process(), sandboxed, kill: () => endThen(remove, started.kill()) }
}

async function endThen(remove: () => Promise<void>, ending: Promise<void>): Promise<void> {
  try {
    await ending
  } finally {
    await remove()
  }
}

/** Starts Chromium with `start` in a new home; with its own sandbox, if that works. */
async function atHome<T>(
  dir: string,
  { proxy, scale }: { readonly proxy: Proxy; readonly scale: number },
  start: (type: BrowserType, options: LaunchOptions) => Promise<T>,
): Promise<{ readonly started: T; readonly sandboxed: boolean; readonly remove: () => Promise<void> }> {
  const { chromium } = await import('playwright-core')
  const place = await placeFor(dir)
  const program = await programIn(place)
  const home = await makeHome(place, program)
  const remove = (): Promise<void> => home.remove()
  const options = { executablePath: home.start, env: { ...home.env }, ...confined(proxy, scale), timeout: startWithin }
  try {
    return { started: await start(chromium, { ...options, chromiumSandbox: true }), sandboxed: true, remove }
  } catch (error) {
    try {
      if (!(error instanceof Error && /sandbox|namespace/i.test(logOf(error)))) throw error
      return { started: await start(chromium, { ...options, chromiumSandbox: false }), sandboxed: false, remove }
    } catch (last) {
      await remove()
      throw last
    }
  }
}

/** Options that confine Chromium to its proxy. */
function confined(proxy: Proxy, scale: number): LaunchOptions {
  const host = bare(new URL(proxy.server).hostname)
  return {
    // Otherwise Chromium bypasses the proxy for this machine's loopback addresses.
    proxy: { ...proxy, bypass: '<-loopback>' },
    args: [
      // Only the proxy resolves names.
      `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
      // No UDP, which bypasses proxies. Chromium has used both names for the first option.
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-quic',
      // Pictures use the device scale factor of the browser, not the one emulated for the page.
      `--force-device-scale-factor=${scale}`,
    ],
  }
}

/** The browser's output without the command that Playwright quotes, which mentions sandboxes. */
function logOf(error: Error): string {
  return error.message
    .split('\n')
    .filter((line) => /\[err\]|sandboxing failed/.test(line))
    .join('\n')
}
