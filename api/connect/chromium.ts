import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'

let unpacking: Promise<string> | undefined

/**
 * Starts a Chromium of its own that can reach no other host than this one. Throws when it cannot start, such as for a missing
 * system library.
 */
export async function startChromium(dir: string, host: string): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  unpacking ??= unpack(path.join(dir, 'chromium'))
  return chromium.launch({
    executablePath: await unpacking.catch((error: unknown) => {
      unpacking = undefined
      throw error
    }),
    // Its own sandbox does not run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  })
}

/** Unpacks the browser once, into a private folder: the package trusts whatever it finds in the folder for temporary files. */
async function unpack(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  const { default: packaged } = await import('@sparticuz/chromium')
  const { env } = process
  const before = env['TMPDIR']
  try {
    env['TMPDIR'] = folder
    return await packaged.executablePath()
  } finally {
    if (before === undefined) delete env['TMPDIR']
    else env['TMPDIR'] = before
  }
}
