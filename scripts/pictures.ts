import { spawnSync } from 'node:child_process'
import { root } from './supervisor/settings.ts'

/** Makes the reference pictures of all pages anew, where more than the tolerance differs: `npm run pictures`. Look at what git shows then. */
const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/web/every-page.test.ts']
const { status } = spawnSync(process.execPath, vitest, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PICTURES: 'remade' },
})
process.exitCode = status ?? 1
