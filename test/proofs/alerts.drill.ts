import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { insertConnector, keepBundle } from '../../core/connectors/rows.ts'
import { addWebhook } from '../../core/notices/targets.ts'
import { hidden } from '../../scripts/browsing.ts'
import { firstContact } from '../support/contacts.ts'
import { startMailbox } from '../support/mailbox.ts'
import { Person } from '../support/person.ts'
import { startProcess } from '../support/processes.ts'
import { again, post, startWatched } from './watched.ts'
import type { Watched } from './watched.ts'

/**
 * Two API processes and a worker, watched by a real Prometheus with the files of deploy/. Each alert's cause is made for real, the alert must go off,
 * the cause is mended, and the alert must end. What docs/runbook.md says was tried, was tried here.
 */
const patience = 1_200_000
let site: Watched
beforeAll(async () => {
  site = await startWatched()
}, 600_000)
afterAll(() => site.stop(), 60_000)

test(
  'an app that fails, one that is slow, one whose writes are lost, and one that blocks',
  { timeout: patience },
  async () => {
    const [crm, salon] = [await site.seeded('crm'), await site.seeded('salon')]
    await Promise.all([
      site.cause(['CallgateAppFails'], async () => {
        await crm.sandbox.fault('error', { times: 10_000 })
        const stop = again(300, () => crm.ask('list_clients'))
        return () => Promise.all([stop(), crm.sandbox.clearFaults()])
      }),
      site.cause(['CallgateAppSlow'], async () => {
        await salon.sandbox.fault('slow', { ms: 11_000, times: 10_000 })
        const stop = again(1_000, () => salon.ask('list_locations'))
        return () => Promise.all([stop(), salon.sandbox.clearFaults()])
      }),
      site.cause(['CallgateManyUnknown', 'CallgateUnknownFast', 'CallgateUnknownSlow'], async () => {
        const contact_id = await firstContact(site.user)
        await site.user.call('add_contact_note', { contact_id, note: 'Arrives' })
        await site.gateway.sandbox.fault('drop_after', { times: 10_000 })
        const stop = again(1_500, () => site.user.call('add_contact_note', { contact_id, note: 'Lost' }))
        return async () => {
          await stop()
          await site.gateway.sandbox.clearFaults()
          // So many others of that day went well.
          await site.gateway.db.query(
            `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', left(c.id, 15) || lpad(n::text, 16, '0')))).*
             FROM calls c, generate_series(1, 3000) n
             WHERE c.id = (SELECT id FROM calls WHERE app = 'property-advertising' AND status = 'executed' LIMIT 1)`,
          )
          await site.gateway.db.query('DELETE FROM call_counts')
        }
      }),
    ])
    // No alert is for it alone; panels show it.
    await salon.sandbox.fault('garbage', { times: 3 })
    await salon.ask('list_locations')
    await salon.sandbox.clearFaults()
    const others = await Promise.all(Array.from({ length: 12 }, () => site.gateway.user()))
    await site.cause(['CallgateAppBlocks'], async () => {
      await site.gateway.sandbox.fault('block', { times: 10_000 })
      for (const other of others) {
        const asked = ['list_listings', 'list_contacts', 'list_demands'].map((endpoint) =>
          other.call(endpoint, {}, { Prefer: 'wait=1' }),
        )
        await Promise.all(asked)
      }
      return () => site.gateway.sandbox.clearFaults()
    })
  },
)

test('what wears off by itself, and what somebody has to see to', { timeout: patience }, async () => {
  const { db, temporal } = site.gateway
  const person = await site.user.person()
  const contact_id = await firstContact(site.user)
  const asked = await site.user.call('reply_to_contact', { contact_id, message: 'Nobody decides this.' })
  const call = String(asked.body['call_id'])
  const housekeeping = temporal.schedule.getHandle('callgate-housekeeping')
  const [one, two] = await Promise.all([site.gateway.user({ accounts: [] }), site.gateway.user({ accounts: [] })])
  await Promise.all([
    site.cause(['CallgateOperatorTokenGuessed'], async () => {
      const stop = again(500, () => post(`${site.gateway.adminUrl}/operator/apps/crm`, 'guessed', {}))
      return stop
    }),
    site.cause(['CallgateFollowersFull'], async () => {
      const over = new AbortController()
      const headers = { cookie: person.cookieHeader }
      const follow = () =>
        Promise.all(
          Array.from({ length: 25 }, () =>
            fetch(`${site.gateway.publicUrl}/calls/${call}/events`, { headers, signal: over.signal }),
          ),
        )
      const stop = again(2_000, follow)
      return () => {
        over.abort()
        return stop()
      }
    }),
    site.cause(['CallgateMailsFail'], async () => {
      const forgetful = new Person(site.gateway.publicUrl)
      const page = await (await forgetful.get('/forgot')).text()
      await forgetful.post('/forgot', { csrf: hidden(page, 'csrf'), email: site.user.email })
      return async () => {
        site.mailbox = await startMailbox(site.mailPort)
      }
    }),
    site.cause(['CallgateHousekeepingLate'], async () => {
      await housekeeping.pause()
      await db.query(`UPDATE chores SET done_at = done_at - interval '29 hours'`)
      return async () => {
        await housekeeping.unpause()
        await housekeeping.trigger()
      }
    }),
    site.cause(['CallgateArchiveFails'], async () => {
      await site.asSuperuser(
        `ALTER SYSTEM SET archive_command = 'false'`,
        'SELECT pg_reload_conf()',
        'SELECT pg_switch_wal()',
      )
      return () => site.asSuperuser(`ALTER SYSTEM SET archive_command = 'true'`, 'SELECT pg_reload_conf()')
    }),
    site.cause(['CallgateConnectorBroken'], async () => {
      const rubbish = {
        slug: 'rubbish',
        hash: createHash('sha256').update('no code').digest('hex'),
        package: 'rubbish@1.0.0',
        hosts: [],
        endpoints: ['none'],
      }
      await keepBundle(db, rubbish.hash, 'no code')
      await insertConnector(db, rubbish, 'operator:ann')
      return () => db.query(`UPDATE added_connectors SET removed_at = clock_timestamp() WHERE slug = 'rubbish'`)
    }),
    site.cause(['CallgatePacingStuck'], async () => {
      await site.operator('/apps/field-jobs', { app_rate: 19 })
      // The engine has stored a change and does not know (what a change that timed out leaves): it refuses each further one.
      const stale = async (): Promise<void> => {
        const store = new DatabaseSync(site.foundation.engineStore, { timeout: 5_000 })
        store.exec(`UPDATE task_queue_user_data SET version = version + 1 WHERE task_queue_name = 'app.field-jobs'`)
        store.close()
      }
      await stale()
      await site.operator('/apps/field-jobs', { paused: true })
      const stop = again(1_000, stale)
      return async () => {
        await stop()
        await site.operator('/apps/field-jobs', { paused: false, app_rate: null })
      }
    }),
    site.cause(['CallgateSignInsWait'], async () => {
      const sockets: WebSocket[] = []
      for (const somebody of [one, two]) {
        const headers = { cookie: (await somebody.person()).cookieHeader, origin: site.gateway.publicUrl }
        sockets.push(
          new WebSocket(`${site.small.url.replace('http', 'ws')}/connect/property-advertising/live`, { headers }),
        )
      }
      return () => sockets.forEach((socket) => socket.close())
    }),
  ])
  await site.cause(['CallgateServerConnectionsShort'], async () => {
    const clients = Array.from({ length: 345 }, () => new pg.Client({ connectionString: site.foundation.url }))
    for (let from = 0; from < clients.length; from += 23)
      await Promise.all(clients.slice(from, from + 23).map((client) => client.connect()))
    return () => Promise.all(clients.map((client) => client.end()))
  })
  await site.cause(['CallgateDecisionsSlowFast', 'CallgateDecisionsSlow'], async () => {
    const holder = new pg.Client({ connectionString: site.foundation.url })
    await holder.connect()
    const stop = again(200, async () => {
      await holder.query('BEGIN')
      await holder.query('LOCK TABLE calls')
      const pages = Promise.all(Array.from({ length: 4 }, () => person.get(`/confirm/${call}`)))
      await pause(1_500)
      await holder.query('ROLLBACK')
      await pages
    })
    return async () => {
      await stop()
      await holder.end()
    }
  })
})

test('too much to do for one process', { timeout: patience }, async () => {
  await site.cause(['CallgateConnectionsShort', 'CallgateNearlyFull', 'CallgateTurnsAway'], async () => {
    const holder = new pg.Client({ connectionString: site.foundation.url })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE calls')
    const stops = Array.from({ length: 16 }, () => again(100, () => site.atSmall('list_listings')))
    return async () => {
      await holder.query('ROLLBACK')
      await holder.end()
      await Promise.all(stops.map((stop) => stop()))
    }
  })
})

test('processes that are gone, or stand still', { timeout: patience }, async () => {
  await site.cause(['CallgateProcessAway', 'CallgateQueueStands'], async () => {
    await site.worker.kill()
    await site.user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
    return async () => {
      site.worker = await site.startWorker()
    }
  })
  // Whoever leads is the first from here on, until it can no longer say so.
  await site.small.running.kill()
  await pause(15_000)
  site.small.running = await startProcess(site.small.service)
  await site.cause(['CallgateSweepLags'], async () => {
    // Under way, and not to be sent now: somebody waits for it, and the sweeper is to look at it every half minute.
    await site.operator('/apps/property-advertising', { paused: true })
    process.kill(site.first.pid, 'SIGSTOP')
    const asked = site.atSmall('list_listings')
    return async () => {
      process.kill(site.first.pid, 'SIGCONT')
      await site.operator('/apps/property-advertising', { paused: false })
      await asked
    }
  })
})

test('the engine away', { timeout: patience }, async () => {
  const contact_id = await firstContact(site.user)
  const asked = await site.user.call('reply_to_contact', { contact_id, message: 'Taken back.' })
  await addWebhook({ db: site.gateway.db, secrets: site.gateway.secrets }, site.user.id, 'http://127.0.0.1:9/none', [
    'call.final',
  ])
  const names = ['CallgateEngineAway', 'CallgateNoticesBehind', 'CallgateUnservedFast', 'CallgateUnservedSlow']
  await site.cause(names, async () => {
    await site.foundation.killEngine()
    expect((await site.user.cancel(asked.body['call_id'])).status).toBe(200)
    const stop = again(2_000, () => site.user.call('list_listings', { limit: 1 }))
    return async () => {
      await stop()
      await site.foundation.startEngine()
    }
  })
})

test('the database away', { timeout: patience }, async () => {
  await site.cause(['CallgateDatabaseAway'], async () => {
    await site.foundation.killDatabase()
    return () => site.foundation.startDatabase()
  })
})

/** Made elsewhere: by a test of the sweeper, by those of tampering, and in deploy/prove. */
const triedElsewhere = ['CallgateRunsStuck', 'CallgateRowTampered', 'CallgateStandbyAway']

test('every alert was tried', () => {
  expect([...site.tried, ...triedElsewhere].toSorted()).toEqual(site.prometheus.alerts.toSorted())
})

test('every panel of the dashboard has something to show, and every histogram counts what it measures', async () => {
  const dashboard = path.join(import.meta.dirname, '../../deploy/grafana/callgate.json')
  const { panels } = JSON.parse(await readFile(dashboard, 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const empty: string[] = []
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) {
      const asked = expr.replaceAll('$app', '.*').replaceAll('$__rate_interval', '30s')
      if ((await site.prometheus.sinceStart(asked)).length === 0) empty.push(`${title}: ${expr}`)
    }
  expect(empty).toEqual([])
  const uneven = await site.prometheus.now(
    `sum by (name) (label_replace({__name__=~".+_bucket", le="+Inf"}, "name", "$1", "__name__", "(.+)_bucket"))
      != sum by (name) (label_replace({__name__=~".+_count"}, "name", "$1", "__name__", "(.+)_count"))`,
  )
  expect(uneven).toEqual([])
})

test('no label has more values than there are apps, endpoints, routes and words for them', async () => {
  const series = await site.prometheus.sinceStart('{job=~"callgate-.*"}')
  const values = new Map<string, Set<string>>()
  for (const labels of series)
    for (const [label, value] of Object.entries(labels)) values.set(label, (values.get(label) ?? new Set()).add(value))
  const many = [...values].filter(([, of]) => of.size > 300).map(([label, of]) => `${label}: ${of.size}`)
  expect(many).toEqual([])
  const ids = [...values].flatMap(([label, of]) =>
    [...of].filter((value) => /_[0-9A-Z]{26}|@|[0-9a-f]{16}/.test(value)).map((value) => `${label}=${value}`),
  )
  expect(ids).toEqual([])
  console.log(`${series.length} series; ${[...values].map(([label, of]) => `${label} ${of.size}`).join(', ')}`)
})
