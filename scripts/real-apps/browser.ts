import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { unpacked } from '../../web/connect/browser/chromium.ts'

/** A browser as people have one, unpacked below `dir`. */
export async function startBrowser(dir: string): Promise<Browser> {
  return chromium.launch({ executablePath: await unpacked(`${dir}/person`) })
}
