import { Client as TemporalClient, Connection } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { searchAttributes } from '../../local-services/settings.ts'

describe('what every test file gets', () => {
  let connection: Connection
  beforeAll(async () => {
    connection = await Connection.connect({ address: inject('temporalAddress') })
  })
  afterAll(() => connection.close())

  test('is a Postgres with every durable setting on', async () => {
    const client = new Client({ connectionString: inject('databaseUrl') })
    await client.connect()
    try {
      for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
        const { rows } = await client.query<Record<string, string>>(`show ${setting}`)
        expect(rows, setting).toEqual([{ [setting]: 'on' }])
      }
    } finally {
      await client.end()
    }
  })

  test('is a namespace in which a run with our search attributes can start at once', async () => {
    for (const namespace of inject('namespaces').slice(-3)) {
      const client = new TemporalClient({ connection, namespace })
      const handle = await client.workflow.start('nobody-runs-this', {
        workflowId: 'probe',
        taskQueue: 'nobody',
        searchAttributes: Object.fromEntries(searchAttributes.map((name) => [name, ['value']])),
      })
      const { searchAttributes: found } = await handle.describe()
      expect(Object.keys(found)).toEqual(expect.arrayContaining([...searchAttributes]))
      await handle.terminate()
    }
  })

  test('is a server that keeps closed runs of the default namespace for 30 days', async () => {
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' })
    expect(tsToMs(config?.workflowExecutionRetentionTtl)).toBe(30 * 24 * 3600 * 1000)
  })
})
