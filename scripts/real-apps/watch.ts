import { setTimeout as pause } from 'node:timers/promises'
import path from 'node:path'
import { holds } from './expect.ts'
import type { World } from './real-app.ts'

interface Watched {
  readonly watches: readonly { readonly last_result: string | null; readonly version: string | null }[]
  readonly changes: readonly unknown[]
}

/** Enables the canary reads of the connector's package: their owner agrees, and each runs once. */
export async function isWatched({ connector, person, account }: World, folder: string): Promise<void> {
  const asked = await connector('watch', folder, '--account', account)
  const page = await person.open(`/apps/${path.basename(folder)}`)
  const agree = page.getByRole('button', { name: 'Agree', exact: true })
  const all = asked.match(/to be agreed to/g)?.length ?? 0
  holds('no read was asked for, or the page shows others', all > 0 && (await agree.count()) === all, asked)
  for (let left = all; left > 0; left--) {
    await agree.first().click()
    await page.waitForFunction(
      `[...document.querySelectorAll('button')].filter((one) => one.textContent.trim() === 'Agree').length < ${left}`,
    )
  }
  for (let looks = 0; ; looks++) {
    const found = JSON.parse(await connector('watch', path.basename(folder))) as Watched
    const isLooked = found.watches.every(({ last_result: result }) => result !== null)
    if (!isLooked && looks < 60) {
      await pause(500)
      continue
    }
    const shown = JSON.stringify(found)
    holds(
      'the daily looks did not come to what was before',
      found.watches.length === all && found.watches.every(({ last_result: result }) => result === 'ok'),
      shown,
    )
    holds('there are changes', found.changes.length === 0, shown)
    return
  }
}
