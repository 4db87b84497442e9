import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { builtInApps } from '../../scripts/client/generate.ts'
import { surfaceOf } from '../../scripts/client/surface.ts'

test('client/api-surface.txt has one line per endpoint, with its types on it (npm run surface)', async () => {
  const apps = builtInApps()
  const text = surfaceOf(apps)
  expect(await readFile(new URL('../../client/api-surface.txt', import.meta.url), 'utf8')).toBe(text)
  const [, ...lines] = text.trimEnd().split('\n')
  const ids = apps.flatMap(({ slug, endpoints }) => [...endpoints.keys()].map((name) => `${slug}.${name}`))
  expect(lines.map((line) => line.slice(0, line.indexOf(' ')))).toEqual(ids)
  for (const line of lines) {
    expect(line).toMatch(/^\S+ (read|write)( \(asks\))?: (\{ .+ \}|Record<string, never>) -> \{ .+ \}$/)
    expect(line).not.toMatch(/\/\*|\{ ;|; ;/)
  }
  expect(lines.find((line) => line.startsWith('property-advertising.reply_to_contact '))).toMatch(
    /^property-advertising\.reply_to_contact write \(asks\): \{ contact_id: string; message: string \} -> \{ contact_id: string; /,
  )
})
