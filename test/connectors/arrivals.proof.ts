import { expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { schemaPaths } from './arrivals/edges.ts'
import { chosen, emptied, refused } from './arrivals/exceptions.ts'
import { Witness, observe } from './arrivals/observe.ts'

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

test.each(apps)(
  'every input of every write of $slug arrives at the app, whole and where it belongs',
  async ({ slug }) => {
    const sandbox = await startExampleSandbox(slug, { actions: 100_000, seconds: 60 })
    try {
      const witness = await Witness.of(slug, sandbox)
      const [lost, alike, never]: [string[], string[], string[]] = [[], [], []]
      const [refusals, choices, empties]: [string[], string[], string[]] = [[], [], []]
      for (const endpoint of witness.writes) {
        const findings = await observe(witness, endpoint)
        const { name, inputSchema } = endpoint
        lost.push(...findings.lost)
        alike.push(...findings.alike)
        never.push(...schemaPaths(inputSchema).flatMap((path) => (findings.seen.has(path) ? [] : [`${name} ${path}`])))
        refusals.push(...[...findings.refused].map((what) => `${name} ${what}`))
        choices.push(...[...findings.chosen].map((what) => `${name} ${what}`))
        empties.push(...[...findings.emptied].map((what) => `${name} ${what}`))
      }
      expect(lost).toEqual([])
      expect({ never, alike, empties, refusals: refusals.toSorted(), choices: choices.toSorted() }).toEqual({
        never: [],
        alike: [],
        empties: emptied[slug] ?? [],
        refusals: (refused[slug] ?? []).toSorted(),
        choices: (chosen[slug] ?? []).toSorted(),
      })
    } finally {
      await sandbox.close()
    }
  },
)
