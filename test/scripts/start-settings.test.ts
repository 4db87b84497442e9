import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../scripts/supervisor/settings.ts'
import { temporaryFolder } from './temp.ts'

/** What `npm start` says with such a setting, and whether it began anything. */
async function started(name: string, value: string): Promise<{ code: unknown; said: string; began: boolean }> {
  const dir = path.join(temporaryFolder(), 'callgate')
  const env = { PATH: process.env['PATH'], CALLGATE_DIR: dir, [name]: value }
  const ended = await promisify(execFile)(process.execPath, ['scripts/supervisor.ts'], { cwd: root, env }).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: unknown; stderr: string }) => error,
  )
  return { code: ended.code, said: ended.stderr, began: existsSync(dir) }
}

test.each([
  ['PUBLIC_URL', 'callgate.example.com', 'PUBLIC_URL must be an http or https address, not "callgate.example.com"'],
  ['PUBLIC_URL', 'https://example.com/callgate', 'PUBLIC_URL must end with the host or its port'],
  ['TRUST_PROXY', '-1', 'TRUST_PROXY must be a whole number from 0 to 100, not "-1"'],
  ['WEBHOOK_ALLOW', 'here', 'WEBHOOK_ALLOW must list networks'],
  ['MCP_ORIGINS', 'https://a.example/', 'MCP_ORIGINS must list sites like https://chat.example.com'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"'],
])('%s=%s is refused in one line before anything is started', async (name, value, expected) => {
  const { code, said, began } = await started(name, value)
  expect(said).toContain(expected)
  expect([code, said.trim().split('\n').length, began]).toEqual([1, 1, false])
})
