import { expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { undeclared } from '../../connectors/runtime/undeclared.ts'

const { all } = loadApps({ sandboxUrl: 'http://sandbox.example/' })

test.each(all.map((app) => [app.slug, app] as const))('%s declares what the program must know of it', (_slug, app) => {
  expect(undeclared(app)).toEqual([])
})
