import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotices } from '../../core/notices/list.ts'
import { addWebhook, askForTest } from '../../core/notices/targets.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { pythonWith } from '../../scripts/python.ts'
import { startReceiver } from '../support/receiver.ts'

const root = path.join(import.meta.dirname, '../..')
let stack: Stack
let dir: string
beforeAll(async () => {
  stack = await startStack({ settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-webhooks-'))
})
afterAll(async () => {
  await stack.stop()
  await rm(dir, { recursive: true, force: true })
})

async function sample(language: string): Promise<string> {
  const text = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8')
  const [, code] = text.match(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``)) ?? []
  if (code === undefined) throw new Error(`docs/webhooks.md has no sample in ${language}`)
  return code
}

/** The sample as a program of its own; resolves once it listens. */
async function runSample(file: string, env: Record<string, string>): Promise<ChildProcess> {
  await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
  await writeFile(path.join(dir, 'package.json'), '{ "type": "module" }')
  await writeFile(path.join(dir, file), await sample('ts'))
  const child = spawn(process.execPath, [path.join(dir, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const listens = async () =>
    fetch(`http://127.0.0.1:${env['PORT']}`, { method: 'POST' }).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(listens).toBe(401)
  return child
}

test('the receiver in TypeScript takes what Callgate sends, and nothing with another secret', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hooks/callgate`
  const made = await addWebhook(stack.ctx, user.id, url, ['call.waiting'])
  const other = await addWebhook(stack.ctx, user.id, url, [])
  if (made === 'full' || other === 'full') throw new Error('there is no room for a webhook')
  const child = await runSample('receiver.ts', { PORT: String(port), WEBHOOK_SECRET: made.secret })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Hello' })
    await expect.poll(() => said).toBe(`call.waiting ${String(asked.body['call_id'])}\n`)
    await askForTest(stack.ctx, user.id, other.id)
    const results = async () => (await listNotices(stack.ctx.db, user.id, 5)).map(({ last_result: result }) => result)
    await expect.poll(results).toEqual(['401', '204'])
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

test('the check in Python agrees', async () => {
  const user = await stack.user()
  const receiver = await startReceiver()
  const made = await addWebhook(stack.ctx, user.id, receiver.url, ['call.final'])
  if (made === 'full') throw new Error('there is no room for a webhook')
  await user.call('list_listings', { limit: 1 })
  await expect.poll(() => receiver.received.length).toBe(1)
  await receiver.close()
  const [message] = receiver.received
  const file = path.join(dir, 'check.py')
  const rest = `import sys\nmessage = json.load(open(sys.argv[1]))\nprint(verify(message["headers"], message["body"].encode())["type"])\n`
  await writeFile(file, `${await sample('python')}\n${rest}`)
  const sent = path.join(dir, 'message.json')
  const { python } = await pythonWith({ requirements: [] })
  const check = (secret: string) => promisify(execFile)(python, [file, sent], { env: { WEBHOOK_SECRET: secret } })
  await writeFile(sent, JSON.stringify(message))
  expect((await check(made.secret)).stdout).toBe('call.final\n')
  await expect(check(`whsec_${Buffer.alloc(32).toString('base64')}`)).rejects.toThrow('not signed with this secret')
  await writeFile(sent, JSON.stringify({ ...message, body: `${message?.body} ` }))
  await expect(check(made.secret)).rejects.toThrow('not signed with this secret')
})
