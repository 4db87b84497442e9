import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

interface Life {
  /** The day on which a release first began it. */
  readonly begun: string
  /** The day on which its old branch went and `deprecatePatch` came. */
  readonly ended?: string
}

/** Every patch of the workflows. docs/deploying.md, "What a release may change", says how one ends. */
const patches: Readonly<Record<string, Life>> = {
  'only-ordered-waits': { begun: '2026-11-22' },
  rounds: { begun: '2026-11-23' },
  'alarm-rings-on': { begun: '2026-11-26' },
}
/** A call waits for up to 30 days, and a closed run is kept, and replayed when somebody opens it, for as long. */
const longest = 31 * 86_400_000

const folder = path.join(import.meta.dirname, '../../workflows')
const source = readdirSync(folder)
  .map((name) => readFileSync(path.join(folder, name), 'utf8'))
  .join('\n')
const named = (by: string) =>
  [...source.matchAll(new RegExp(`\\b${by}\\('([\\w-]+)'\\)`, 'g'))].map(([, id = '']) => id).toSorted()
const idsWhere = (holds: (life: Life) => boolean) =>
  Object.keys(patches)
    .filter((id) => holds(patches[id]!))
    .toSorted()

describe('the patches of the workflows', () => {
  it('are those of this table: begun ones are asked for, ended ones are deprecated', () => {
    expect(named('patched')).toEqual(idsWhere(({ ended }) => ended === undefined))
    expect(named('deprecatePatch')).toEqual(idsWhere(({ ended }) => ended !== undefined))
  })

  it('end no sooner than the last run may be gone that began without them', () => {
    const early = idsWhere(({ begun, ended }) => ended !== undefined && Date.parse(ended) < Date.parse(begun) + longest)
    expect(early).toEqual([])
  })

  it('include each that a recorded run has in its history', () => {
    const histories = path.join(import.meta.dirname, '../histories')
    const texts = readdirSync(histories)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(path.join(histories, name), 'utf8'))
    const recorded = texts.flatMap((text) =>
      [...text.matchAll(/"markerName":"core_patch".*?"data":"([\w+/=]+)"/g)].map(
        ([, data = '']) => (JSON.parse(Buffer.from(data, 'base64').toString()) as { readonly id: string }).id,
      ),
    )
    expect(new Set(recorded).size).toBeGreaterThan(2)
    expect([...new Set(recorded)].filter((id) => !(id in patches))).toEqual([])
  })

  it('stay deprecated for a time in which all runs end that have them, and are then taken out with this line', () => {
    const due = idsWhere(({ ended }) => ended !== undefined && Date.parse(ended) + 2 * longest < Date.now())
    expect(due).toEqual([])
  })
})
