import { Client } from 'undici'
import { lanes, median } from './measure.ts'
import { app } from './people.ts'
import type { Site } from './site.ts'

const pages = ['/apps', `/${app}`, `/${app}/endpoints`, `/${app}/endpoints/list_listings`]
/** Below the rate limit of 120 a minute per address. */
const each = 100

/** p50 of discovery pages in ms, each from its own loopback address: limits are per address. */
export async function measureDiscovery({
  publicUrl,
}: Pick<Site, 'publicUrl'>): Promise<Readonly<Record<string, number>>> {
  const figures: Record<string, number> = {}
  for (const [index, page] of pages.entries()) {
    const client = new Client(publicUrl, { localAddress: `127.0.0.${index + 20}` })
    const ask = async (): Promise<void> => {
      const { statusCode, body } = await client.request({ method: 'GET', path: `/api/v1${page}` })
      await body.text()
      if (statusCode !== 200) throw new Error(`${page} answered ${statusCode}`)
    }
    const turns = Array.from({ length: each }, (_, turn) => turn)
    const { ms } = await lanes(1, turns, ask)
    await client.close()
    figures[page] = median(ms.slice(10))
  }
  return figures
}
