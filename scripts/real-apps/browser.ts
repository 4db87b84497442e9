import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { unpacked } from '../../web/connect/browser/chromium-program.ts'

/** A regular browser for a user, unpacked below `dir`. */
export async function startBrowser(dir: string): Promise<Browser> {
  return chromium.launch({ executablePath: await unpacked(`${dir}/person`) })
}
