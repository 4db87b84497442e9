import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What axe finds on a page as it is now: each rule that it breaks, with the places. `only`: of these rules, else of all. */
export async function violationsOn(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  // By the browser's own hand: the page lets no script in.
  await page.evaluate(`if (!window.axe) { ${axe.source} }`)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(only && { runOnly: only }) })
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`)
}

export async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await violationsOn(page), name).toEqual([])
}
