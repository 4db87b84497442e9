import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { iconStyles } from '../../scripts/icons-of-set.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

let site: TestSite
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
  visitor = await visitorOf(site, await makeOwner(site.ctx))
})
afterAll(() => site.stop())

test.for([
  ['/', '/'],
  ['/calls?status=failed', '/calls'],
  ['/apps/letters', '/apps'],
  ['/connect/letters', '/apps'],
  ['/play', '/play'],
  ['/standing', '/account'],
  ['/notices', '/account'],
  ['/docs', '/docs'],
  ['/docs/errors/not_found', '/docs'],
] as const)('of %s the menu marks %s, and nothing else', async ([page, marked]) => {
  const { text } = await visitor.get(page)
  expect([...text.matchAll(/<a href="([^"]+)" aria-current="page"/g)].map(([, path]) => path)).toEqual([marked])
})

test('the icons are those that `npm run icons` takes out of their set', () => {
  const kept = readFileSync(new URL('../../web/assets/style/icons.css', import.meta.url), 'utf8')
  expect(kept).toBe(iconStyles())
})
