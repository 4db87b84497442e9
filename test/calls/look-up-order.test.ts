import { expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { lookUpsOf } from '../../core/approvals/look-ups.ts'

const { all } = loadApps({ sandboxUrl: 'http://sandbox.example/' })

test('a look-up that a release before began goes on in the declared order', () => {
  const endpoint = all.find(({ slug }) => slug === 'crm')?.endpoints.get('create_project')
  if (endpoint === undefined) throw new Error('there is no such write')
  const [line, ...rest] = endpoint.preview
  if (line === undefined) throw new Error('it has no preview')
  const { conclusive: _, ...vague } = line
  const lines = { preview: [{ ...vague, read: 'first' }, line, ...rest] }
  const reads = (urgentFirst: boolean) =>
    lookUpsOf(lines, { [line.of]: '1' }, urgentFirst).lookUps.map(({ preview }) => preview.read)
  expect(reads(false)).toEqual(['first', line.read])
  expect(reads(true)).toEqual([line.read, 'first'])
})
