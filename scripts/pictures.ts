import { spawnSync } from 'node:child_process'
import { root } from './supervisor/settings.ts'

/** `npm run pictures`: regenerates outdated visual baselines. Review the diff in git. */
const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/web/every-page.test.ts']
const { status } = spawnSync(process.execPath, vitest, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PICTURES: 'remade' },
})
process.exitCode = status ?? 1
