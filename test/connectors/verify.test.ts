import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import { findingOf, inputOfRead } from '../../core/calls/finding.ts'
import { AppCaller } from './app-caller.ts'

const { all } = loadApps({ sandboxUrl: 'http://sandbox.example/' })
const verified = all.map(({ slug, endpoints }) => ({
  slug,
  writes: [...endpoints.values()].flatMap(({ name, verify }) => (verify === null ? [] : [{ name, verify }])),
}))

/** The example of each write that says how it is looked for: it is not there before, and there is one afterwards. */
describe.each(verified)('in $slug a look finds what was written, and nothing before', ({ slug, writes }) => {
  it('of each write that has one', async () => {
    const caller = await AppCaller.open(slug)
    try {
      const problems: string[] = []
      for (const { name, verify } of writes) {
        const parsed = caller.parsed(name, exampleOf(slug, name, new Date())?.input)
        if (!parsed.ok) throw new Error(`${name} does not take its example`)
        const { input } = parsed
        const began = new Date()
        const look = async () =>
          findingOf(verify, input, await caller.call(verify.read, inputOfRead(verify, input)), began)
        const before = await look()
        await caller.call(name, input)
        const after = await look()
        if (before.kind !== 'nothing') problems.push(`${name} finds ${JSON.stringify(before)} before`)
        if (after.kind !== 'found') problems.push(`${name} finds nothing`)
      }
      expect(problems).toEqual([])
    } finally {
      await caller.sandbox.close()
    }
  })
})
