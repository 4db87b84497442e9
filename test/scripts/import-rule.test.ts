import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/supervisor/settings.ts'
import { temporaryFolder } from './temp.ts'

const forbidden: readonly [file: string, line: string, advice: RegExp][] = [
  [
    'schemas/x.ts',
    `import { a } from '../connectors/registry.ts'`,
    /schemas\/ holds shapes and imports nothing of ours/,
  ],
  ['schemas/x.ts', `import { a } from '../config.ts'`, /schemas\/ holds shapes/],
  ['schemas/deep/x.ts', `import { a } from '../../config.ts'`, /schemas\/ holds shapes/],
  ['local-services/x.ts', `import { a } from '../config.ts'`, /take what it needs as an argument/],
  ['sandbox/server.ts', `import { a } from '../schemas/call.ts'`, /sandbox\/ plays foreign apps/],
  ['sandbox/crm/deals.ts', `import { a } from '../../connectors/crm/deals.ts'`, /sandbox\/ plays foreign apps/],
  ['sandbox/crm/pages/x.ts', `import { a } from '../../../schemas/call.ts'`, /sandbox\/ plays foreign apps/],
  ['connectors/kit/request-line.ts', `import { a } from '../../activities/send.ts'`, /a connector is data/],
  ['connectors/kit/request-line.ts', `import { a } from '../../core/context.ts'`, /a connector is data/],
  ['connectors/runtime/http.ts', `import { a } from '../../web/form.ts'`, /a connector is data/],
  ['connectors/kit/request-line.ts', `import { a } from '../../config.ts'`, /config\.ts is read by/],
  ['connectors/kit/request-line.ts', `import { a } from '../../test/harness.ts'`, /Nothing imports test/],
  ['connectors/crm/deals.ts', `import { a } from '../../sandbox/crm/deals.ts'`, /a connector is data/],
  ['connectors/crm/deals.ts', `import { a } from '../../config.ts'`, /config\.ts is read by/],
  ['connectors/crm/deals.ts', `import { a } from '../pet-salon/pets.ts'`, /Connectors do not know each other/],
  ['connectors/crm/deals.ts', `import type { A } from '../pet-salon/pets.ts'`, /Connectors do not know each other/],
  ['connectors/crm/deals.ts', `import { a } from '../fitness-studio/members.ts'`, /Connectors do not know each other/],
  ['connectors/crm/deals.ts', `import { a } from '../runtime/http.ts'`, /Connectors do not know each other/],
  ['workflows/call.ts', `import { a } from '../activities/send.ts'`, /import type/],
  ['workflows/call.ts', `import { a } from '../schemas/call.ts'`, /import type/],
  ['workflows/call.ts', `import type { A } from '../connectors/registry.ts'`, /import type/],
  ['workflows/call.ts', `import { readFile } from 'node:fs/promises'`, /no clock, files, network or database/],
  ['workflows/call.ts', `import { Type } from 'typebox'`, /no clock, files, network or database/],
  ['activities/send.ts', `import { a } from '../workflows/call.ts'`, /types of workflows/],
  ['activities/send.ts', `import { a } from '../api/errors.ts'`, /let server\/ pass it in/],
  ['core/database/pool.ts', `import { a } from '../../local-services/postgres.ts'`, /core\/ may import/],
  ['core/calls/accept.ts', `import { a } from '../../activities/send.ts'`, /core\/ may import/],
  ['core/calls/accept.ts', `import { a } from '../../web/form.ts'`, /core\/ may import/],
  ['core/calls/accept.ts', `import { a } from '../../workflows/call.ts'`, /types of workflows/],
  ['activities/send.ts', `import { a } from '../web/form.ts'`, /activities\/ may import/],
  ['server/main.ts', `import { a } from '../scripts/demo.ts'`, /server\/ may import/],
  ['web/parts/layout.tsx', `import { a } from '../../sandbox/server.ts'`, /web\/ may import/],
  ['web/form.ts', `import { a } from '../api/http/errors.ts'`, /do not know each other/],
  ['web/form.ts', `import type { A } from '../api/http/errors.ts'`, /do not know each other/],
  ['api/mcp/card.ts', `import { a } from '../../web/index.ts'`, /do not know each other/],
  ['api/http/routes.ts', `import { a } from '../../server/server.ts'`, /do not know each other/],
  ['core/http/api.ts', `import { a } from '../../server/server.ts'`, /core\/ may import/],
  ['server/main.ts', `export { a } from '../test/harness.ts'`, /Nothing imports test/],
  ['server/main.ts', `export const a = await import('../test/harness.ts')`, /Nothing imports test/],
  ['scripts/demo.ts', `import { a } from '../test/harness.ts'`, /Nothing imports test/],
  ['core/calls/free-read.ts', `import { a } from '../../connectors/runtime/exchange.ts'`, /exchange threads only/],
  ['activities/send.ts', `import { a } from '../connectors/kit/html.ts'`, /exchange threads only/],
  ['web/form.ts', `import { parse } from 'parse5'`, /exchange threads only/],
  ['server/main.ts', `import { receiveMessageOnPort } from 'node:worker_threads'`, /waits for nothing/],
  ['client/client.ts', `import { a } from '../connectors/registry.ts'`, /client\/ is what others install/],
]

const allowed: readonly [file: string, line: string][] = [
  ['schemas/deep/x.ts', `import { a } from '../call.ts'`],
  ['sandbox/crm/deals.ts', `import { a } from '../config.ts'`],
  ['sandbox/crm/pages/x.ts', `import { a } from '../../platform/html.ts'`],
  ['connectors/registry.ts', `import { a } from './crm/index.ts'`],
  ['connectors/crm/deals.ts', `import { a } from '../kit/dates.ts'`],
  ['connectors/crm/deals.ts', `import { a } from '../failures/graphql.ts'`],
  ['connectors/crm/deals.ts', `import { a } from '../../schemas/call.ts'`],
  ['workflows/call.ts', `import type { A } from '../activities/send.ts'`],
  ['workflows/call.ts', `import type { A } from '../schemas/call.ts'`],
  ['workflows/call.ts', `import { a } from '@temporalio/workflow'`],
  ['activities/send.ts', `import { a } from '../connectors/registry.ts'`],
  ['activities/send.ts', `import { a } from '../config.ts'`],
  ['core/database/pool.ts', `import type { A } from '../../workflows/call.ts'`],
  ['connectors/runtime/exchange.ts', `import { a } from '../kit/line.ts'`],
  ['core/calls/accept.ts', `import { a } from '../keys/keys.ts'`],
  ['activities/send.ts', `import { a } from '../core/calls/settle.ts'`],
  ['web/form.ts', `import { a } from '../core/approvals/decide.ts'`],
  ['server/main.ts', `import { a } from '../web/index.ts'`],
  ['server/main.ts', `import { a } from '../core/approvals/decide.ts'`],
  ['scripts/demo.ts', `import { a } from '../local-services/postgres.ts'`],
  ['test/harness.ts', `import { a } from '../api/main.ts'`],
]

test('the import rule refuses what it should, says what to do instead, and refuses nothing else', () => {
  const cases = [...forbidden, ...allowed]
  const dir = temporaryFolder()
  copyFileSync(join(root, '.oxlintrc.json'), join(dir, '.oxlintrc.json'))
  // Each line in a file of its own, at the same depth as the file that it stands for.
  const files = cases.map(([file, line], index) => {
    const name = join(dirname(file), `case-${index}${file.endsWith('.tsx') ? '.tsx' : '.ts'}`)
    mkdirSync(join(dir, dirname(name)), { recursive: true })
    writeFileSync(join(dir, name), `${line}\n`)
    return name
  })
  const found = restrictedImports(dir)
  const told = cases.map(([file, line], index) => ({ file, line, advice: found.get(files[index] ?? '') }))
  for (const [index, [file, line, advice]] of forbidden.entries()) {
    expect(told[index]).toEqual({ file, line, advice: expect.stringMatching(advice) })
  }
  expect(told.slice(forbidden.length).filter(({ advice }) => advice !== undefined)).toEqual([])
})

interface Report {
  diagnostics: { code: string; help?: string; message: string; filename: string }[]
}

function restrictedImports(cwd: string): Map<string, string> {
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.']
  let output: string
  try {
    output = execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
  } catch (error) {
    // It exits with 1 when it found something.
    if (!(error instanceof Error && 'stdout' in error)) throw error
    output = String(error.stdout)
  }
  const report: Report = JSON.parse(output)
  const restricted = report.diagnostics.filter(({ code }) => code.includes('no-restricted-imports'))
  return new Map(restricted.map(({ filename, help, message }) => [filename, help ?? message]))
}
