import { afterAll, beforeAll, expect, it } from 'vitest'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import type { Isolated } from '../../../connectors/isolate/isolated.ts'
import * as kit from '../../../connectors/kit/locales.ts'
import { UnknownShape } from '../../../connectors/kit/wire.ts'
import { bundled } from './bundled.ts'

type Helper = (...args: unknown[]) => unknown

let isolate: Isolated
beforeAll(async () => {
  const names = Object.keys(kit).join(', ')
  isolate = await isolated(
    await bundled(`import { ${names} } from './kit/locales.ts'\nexport default { endpoints: [], ${names} }`),
  )
})
afterAll(() => isolate.dispose())

const inside = (name: string): Helper => (isolate.spec as unknown as Record<string, Helper>)[name]!
const here = (name: string): Helper => (kit as unknown as Record<string, Helper>)[name]!

it.each<[keyof typeof kit, unknown[]]>([
  ['localNumber', ['1.234,50 €', 'de']],
  ['localNumber', ['1\u202f234,5 €', 'fr']],
  ['localNumber', ['12,34,567', 'en-IN']],
  ['localNumber', ['CHF 1’234.50', 'de-CH']],
  ['localNumber', ['١٬٢٣٤٫٥', 'ar-EG']],
  ['localDate', ['31.12.2026', 'de']],
  ['localDate', ['3/4/2026, 2:05 pm', 'en-US', '+02:00']],
  ['localDate', ['1er mai 2026', 'fr']],
  ['localDate', ['1 мая 2026', 'ru']],
  ['localDate', ['2026年12月31日', 'ja']],
  ['localTime', ['2:05 pm']],
])('%s reads %j in an isolate as outside of it', (name, args) => {
  expect(inside(name)(...args)).toBe(here(name)(...args))
})

it.each<[keyof typeof kit, unknown[]]>([
  ['localNumber', ['1.5', 'de']],
  ['localDate', ['12/31/2026', 'en-GB']],
  ['localDate', ['29.2.2026', 'de']],
  ['localTime', ['24:00']],
])('%s of %j is an unknown shape there, too', (name, args) => {
  for (const helper of [here(name), inside(name)]) expect(() => helper(...args)).toThrow(UnknownShape)
})

it('a locale that is none is the connector’s fault, and ends nothing else', () => {
  expect(() => inside('localNumber')('1', 'no such locale')).toThrow('the connector tripped')
  expect(inside('localNumber')('1,5', 'de')).toBe(1.5)
})
