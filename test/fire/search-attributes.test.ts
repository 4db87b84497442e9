import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { searchAttributes } from '../../local-services/settings.ts'
import { createDatabase } from '../harness.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

/** A namespace as a release that knew fewer search attributes left it: here, one that has none. */
let gateway: Gateway
const namespace = 'without-attributes'
beforeAll(async () => {
  const { url, drop } = await createDatabase()
  const temporalAddress = inject('temporalAddress')
  gateway = await startGateway({
    foundations: { databaseUrl: url, temporalAddress, temporalNamespace: namespace, drop },
  })
  await gateway.temporal.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
})
afterAll(() => gateway.stop())

test('API processes that start at once add what is missing before they begin a run, and calls show it', async () => {
  const { operatorService } = gateway.temporal.connection
  const known = async () =>
    Object.keys((await operatorService.listSearchAttributes({ namespace })).customAttributes ?? {})
  // A namespace is known a moment after it was made.
  await expect.poll(() => known().catch(() => null)).not.toBeNull()
  expect((await known()).filter((name) => searchAttributes.includes(name))).toEqual([])
  await Promise.all([gateway.startApi(), gateway.anotherApi(), gateway.startWorker()])
  expect(await known()).toEqual(expect.arrayContaining([...searchAttributes]))
  const user = await gateway.user()
  expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
  const query = `CallgateOutcome = "executed" AND CallgateAccount = "${user.account.id}"`
  await expect.poll(async () => (await gateway.temporal.workflow.count(query)).count).toBe(1)
})
