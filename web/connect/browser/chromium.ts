import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { makeHome, placeFor } from './isolation.ts'

/** A proxy that all of a browser's connections go through. */
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

const unpacking = new Map<string, Promise<string>>()

/**
 * Starts a Chromium of its own, which connects to nothing but its proxy, as a user of its own where this process is root. Its sandbox is on
 * wherever it works. `scale`: pixels that its pictures have for each of CSS. Throws when it cannot start, such as for a missing system library.
 */
export async function startChromium(dir: string, proxy: Proxy, scale = 1): Promise<StartedChromium> {
  const place = await placeFor(dir)
  const program = await unpacked(path.join(place, 'chromium'))
  const home = await makeHome(place, program)
  try {
    const { browser, sandboxed } = await launch({ executablePath: home.start, env: home.env, proxy, scale })
    const close = async (): Promise<void> => {
      try {
        await browser.close()
      } finally {
        await home.remove()
      }
    }
    return { browser, sandboxed, close }
  } catch (error) {
    await home.remove()
    throw error
  }
}

async function launch(of: {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
  readonly proxy: Proxy
  readonly scale: number
}) {
  const { executablePath, env, proxy, scale } = of
  const { chromium } = await import('playwright-core')
  const options = {
    executablePath,
    env,
    // Else this machine itself would be reached past the proxy.
    proxy: { ...proxy, bypass: '<-loopback>' },
    args: [
      // Names are resolved by the proxy alone.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      // No UDP, which goes through no proxy. Chromium has called the first one both ways.
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-quic',
      // Pictures of a page have the pixels of the screen that the browser thinks it has, whatever it tells the page.
      `--force-device-scale-factor=${scale}`,
    ],
  }
  try {
    return { browser: await chromium.launch({ ...options, chromiumSandbox: true }), sandboxed: true }
  } catch (error) {
    if (!(error instanceof Error && /sandbox|namespace/i.test(logOf(error)))) throw error
    return { browser: await chromium.launch({ ...options, chromiumSandbox: false }), sandboxed: false }
  }
}

/** What the browser itself said, without the command that Playwright quotes: its options name sandboxes, too. */
function logOf(error: Error): string {
  return error.message
    .split('\n')
    .filter((line) => /\[err\]|sandboxing failed/.test(line))
    .join('\n')
}

export function unpacked(folder: string): Promise<string> {
  const known = unpacking.get(folder)
  if (known !== undefined) return known
  const program = unpack(folder)
  unpacking.set(folder, program)
  program.catch(() => unpacking.delete(folder))
  return program
}

/** Unpacks the browser, into a folder that nobody else writes to: the package trusts whatever it finds in that for temporary files. */
async function unpack(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const root = process.getuid?.() === 0
  await chmod(folder, root ? 0o711 : 0o700)
  const { default: packaged } = await import('@sparticuz/chromium')
  const { env } = process
  const before = env['TMPDIR']
  let program: string
  try {
    env['TMPDIR'] = folder
    program = await packaged.executablePath()
  } finally {
    if (before === undefined) delete env['TMPDIR']
    else env['TMPDIR'] = before
  }
  if (root) await share(folder)
  return program
}

/** The browser's user reads and runs what is in the folder, and nobody but root changes it. */
async function share(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    await chown(file, 0, 0)
    const { mode } = await stat(file)
    await chmod(file, (mode & 0o700) | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6))
  }
}
