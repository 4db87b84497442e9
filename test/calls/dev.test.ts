import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { shopFiles, shopPackage } from '../support/corner-shop.ts'
import type { ShopPackage } from '../support/corner-shop.ts'

const host = 'http://127.0.0.1:9'
const files = shopFiles(host)
let stack: Stack
let source: ShopPackage
let running: ChildProcess
let said = ''
beforeAll(async () => {
  stack = await startStack()
  source = await shopPackage(files)
  const script = path.join(import.meta.dirname, '../../scripts/connector.ts')
  running = spawn(process.execPath, [script, 'dev', source.folder, '--yes', '--url', stack.adminUrl], {
    env: { PATH: process.env['PATH'], CALLGATE_OPERATOR_TOKEN: operatorToken(stack.ctx.secrets) },
  })
  for (const stream of [running.stdout, running.stderr]) stream?.on('data', (data) => (said += String(data)))
})
afterAll(async () => {
  running.kill('SIGKILL')
  await source[Symbol.asyncDispose]()
  await stack.stop()
})

const patient = { timeout: 120_000, interval: 100 }
const labels = () => [...(stack.ctx.apps.get('corner-shop')?.endpoints.values() ?? [])].map(({ label }) => label)

it('brings a connector, and each version of it that is saved', async () => {
  await expect.poll(() => said, patient).toMatch(/\d corner-shop: list_orders, add_order/)
  await expect.poll(labels, patient).toContain('List orders')
  await source.write('orders.ts', (files['orders.ts'] ?? '').replace("'List orders'", "'Show orders'"))
  await expect.poll(labels, patient).toContain('Show orders')
})

it('says what is wrong with file and line, keeps what runs, and goes on', async () => {
  said = ''
  await source.write('orders.ts', (files['orders.ts'] ?? '').replace("label: 'List orders'", "label: ''"))
  await expect.poll(() => said, patient).toMatch(/orders\.ts:\d+: list_orders has no label/)
  expect(labels()).toContain('Show orders')
  await source.write('orders.ts', files['orders.ts'] ?? '')
  await expect.poll(labels, patient).toContain('List orders')
})

it('shows what would leave without an approval before it brings it', async () => {
  const more = (label: string): string => `${files['orders.ts'] ?? ''}
export const find_orders = endpoint({
  summary: 'Find orders.', label: '${label}', brief: [], access: 'read', request: 'POST /orders/find', input: {},
  output: { orders: Type.Array(Type.Object({ id: Type.String() })) },
})`
  said = ''
  await source.write('orders.ts', more('Find orders'))
  await expect.poll(() => said, patient).toMatch(/\+ without an approval: .*\/orders\/find[^]*\d corner-shop: /)
  said = ''
  await source.write('orders.ts', more('Look for orders'))
  await expect.poll(() => said, patient).toMatch(/\d corner-shop: /)
  expect(said).not.toContain('without an approval')
})

it('ends with Ctrl-C', async () => {
  running.kill('SIGINT')
  const [code] = (await once(running, 'exit')) as [number]
  expect([0, 130]).toContain(code)
})
