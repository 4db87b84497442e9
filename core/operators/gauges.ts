import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { isPressing } from '../calls/due.ts'
import { figure } from '../figure.ts'
import { callsOfADay } from '../watch/call-counts.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { OpenCalls } from './open-calls.ts'

const dayMs = 86_400_000

interface Figure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Named {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

interface Asked extends Named {
  readonly sql: string
  readonly values?: (ctx: Pick<Context, 'apps'>) => readonly unknown[]
}

interface Counted extends Named {
  readonly read: () => Promise<readonly Figure[]>
}

/** Gauges with one cheap statement each; its rows have the labels and `value`. */
const asked: readonly Asked[] = [
  {
    name: 'callgate_database_server_connections',
    help: 'Connections of all programs to the Postgres server (open), and how many it takes (most), but for those that are kept for its administrators.',
    labels: ['state'],
    sql: `SELECT state, value FROM (SELECT sum(numbackends)::float8 AS open,
            (current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer)::float8 AS most
          FROM pg_stat_database) s CROSS JOIN LATERAL (VALUES ('open', open), ('most', most)) v(state, value)`,
  },
  {
    name: 'callgate_app_changed_of_a_day',
    help: 'Calls of the last 24 hours whose answer the connector did not understand, by app and endpoint. Why, operators see on the page of the app.',
    labels: ['app', 'endpoint'],
    sql: `SELECT app, endpoint, count(*)::float8 AS value FROM calls WHERE changed_rule IS NOT NULL AND id >= $1 GROUP BY app, endpoint`,
    values: () => [callIdFrom(Date.now() - dayMs)],
  },
  {
    name: 'callgate_app_changes',
    help: 'What of an app is not as its connector knows it or as it was in earlier daily looks, and nobody has seen to, by app and kind (rule, gone, type, empty). 0 does not say that the app is as it was.',
    labels: ['app', 'kind'],
    sql: 'SELECT app, kind, count(*)::float8 AS value FROM app_changes WHERE closed_at IS NULL GROUP BY app, kind',
  },
  {
    name: 'callgate_blocked_endpoints',
    help: 'Endpoints of accounts that are paused because their app refused access, by app.',
    labels: ['app'],
    sql: 'SELECT app, count(*)::float8 AS value FROM pauses JOIN accounts ON accounts.id = account GROUP BY app',
  },
  {
    name: 'callgate_paused',
    help: '1 for each app that an operator has paused (endpoint empty), and for each endpoint: its calls are accepted and wait.',
    labels: ['app', 'endpoint'],
    sql: `SELECT app, '' AS endpoint, 1 AS value FROM app_controls WHERE paused
          UNION ALL SELECT app, endpoint, 1 FROM endpoint_controls WHERE paused`,
  },
  {
    name: 'callgate_pacing_pending_seconds',
    help: 'How long the oldest saved pause or rate of an app waits for the engine to take it; 0 when it has all.',
    labels: ['app'],
    sql: `SELECT s.app, coalesce(extract(epoch FROM clock_timestamp() - c.pacing_due_since), 0)::float8 AS value
          FROM unnest($1::text[]) AS s(app) LEFT JOIN app_controls c ON c.app = s.app`,
    values: ({ apps }) => [apps.all.map(({ slug }) => slug)],
  },
  {
    name: 'callgate_sweep_overdue_seconds',
    help: 'For how long the call that has waited longest for a look of the sweeper has been due, of those that somebody waits for (pressing: decided, under way, or being prepared) and of those that merely wait for their person (waiting); 0 when none is.',
    labels: ['calls'],
    sql: `SELECT calls, greatest(coalesce(extract(epoch FROM clock_timestamp() - since), 0), 0)::float8 AS value FROM (VALUES
            ('pressing', (SELECT min(check_at) FROM calls WHERE check_at IS NOT NULL AND ${isPressing})),
            ('waiting', (SELECT min(check_at) FROM calls WHERE check_at IS NOT NULL AND NOT ${isPressing}))) AS due(calls, since)`,
  },
  {
    name: 'callgate_notices_pending',
    help: 'Notices that are not delivered yet and not given up, by channel (webhook, email, push, ntfy).',
    labels: ['channel'],
    sql: `SELECT channel, count(n.id)::float8 AS value FROM unnest(ARRAY['webhook', 'email', 'push', 'ntfy']) AS s(channel)
          LEFT JOIN (notices n JOIN notice_targets t ON t.id = n.target AND n.state = 'pending') USING (channel) GROUP BY channel`,
  },
  {
    name: 'callgate_notices_overdue_seconds',
    help: 'For how long the notice that has waited longest to be handed to the engine has been due, by channel; 0 when none is. One that waits for the next bundle, or for the end of quiet hours, is not due.',
    labels: ['channel'],
    sql: `SELECT channel, greatest(coalesce(extract(epoch FROM clock_timestamp()
            - min(CASE t.channel WHEN 'webhook' THEN n.check_at ELSE greatest(n.check_at, t.mail_at) END)), 0), 0)::float8 AS value
          FROM unnest(ARRAY['webhook', 'email', 'push', 'ntfy']) AS s(channel)
          LEFT JOIN (notices n JOIN notice_targets t ON t.id = n.target AND n.state = 'pending') USING (channel) GROUP BY channel`,
  },
  {
    name: 'callgate_mails_failing',
    help: 'Mails that were tried and have not left, by what they are about: accounts (new passwords, invitations), or notices of calls.',
    labels: ['about'],
    sql: `SELECT 'accounts' AS about, count(*)::float8 AS value FROM mails WHERE tries > 1 AND until > clock_timestamp()
          UNION ALL SELECT 'notices', count(*)::float8 FROM notices n JOIN notice_targets t ON t.id = n.target
            WHERE t.channel = 'email' AND n.state = 'pending' AND n.tries > 0`,
  },
  {
    name: 'callgate_session_checks_overdue_seconds',
    help: 'For how long the account that has waited longest to have its session looked at has been due, by app; 0 when none is. Paused apps are not asked.',
    labels: ['app'],
    sql: `SELECT s.app, greatest(coalesce(extract(epoch FROM clock_timestamp() - (
            SELECT min(a.session_check_at) FROM accounts a WHERE a.app = s.app AND a.state = 'connected'
              AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = s.app AND c.paused))), 0), 0)::float8 AS value
          FROM unnest($1::text[]) AS s(app)`,
    values: ({ apps }) => [apps.all.map(({ slug }) => slug)],
  },
  {
    name: 'callgate_archive_failing_seconds',
    help: 'For how long Postgres has not been able to archive its log; 0 where it can, or is not told to.',
    labels: [],
    sql: `SELECT coalesce(extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset)), 0)::float8
            * (last_failed_time > coalesce(last_archived_time, '-infinity') IS TRUE)::int AS value FROM pg_stat_archiver`,
  },
  {
    name: 'callgate_standby_away',
    help: '1: commits wait for a standby (synchronous_standby_names), and there is none; 0 where one is there, or none is waited for. Missing where the role may not know (pg_read_all_stats).',
    labels: [],
    sql: `SELECT (wanted AND NOT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')))::int AS value
          FROM (SELECT current_setting('synchronous_standby_names') <> '' AS wanted) s
          WHERE NOT wanted OR pg_has_role('pg_read_all_stats', 'USAGE')`,
  },
  {
    name: 'callgate_chore_age_seconds',
    help: 'How long ago what is to be done once a day was last done to its end, by chore (purge, session_checks); before the first time, since the set-up.',
    labels: ['chore'],
    sql: 'SELECT name AS chore, extract(epoch FROM clock_timestamp() - done_at)::float8 AS value FROM chores',
  },
]

/** Gauges that count calls; watch/call-counts.ts and open-calls.ts bound the time this takes. */
function counted({ db }: Pick<Context, 'db'>): readonly Counted[] {
  const open = new OpenCalls(db)
  return [
    {
      name: 'callgate_calls_of_a_day',
      help: 'Calls accepted within the last 24 hours, to ten minutes, by app and the status that they have now, of all owners. Missing while they are counted for the first time.',
      labels: ['app', 'status'],
      read: async () =>
        ((await callsOfADay(db)) ?? []).map(({ app, status, calls }) => ({ labels: { app, status }, value: calls })),
    },
    {
      name: 'callgate_open_calls',
      help: 'Calls that are not final, by app and status, of all owners.',
      labels: ['app', 'status'],
      read: async () =>
        (await open.rows()).map(({ app, status, calls }) => ({ labels: { app, status }, value: calls })),
    },
    {
      name: 'callgate_held_calls',
      help: 'Running calls that wait for something other than their turn, by app and what it is.',
      labels: ['app', 'waiting_for'],
      read: async () =>
        (await open.rows()).flatMap(({ app, status, waiting_for, calls }) =>
          status === 'running' && waiting_for !== null ? [{ labels: { app, waiting_for }, value: calls }] : [],
        ),
    },
    {
      name: 'callgate_queue_oldest_seconds',
      help: 'How long the call that has waited longest for its turn has done so, by app; what operators paused does not wait for its turn.',
      labels: ['app'],
      read: async () =>
        (await open.rows()).flatMap(({ app, oldest }) => (oldest === null ? [] : [{ labels: { app }, value: oldest }])),
    },
  ]
}

/** Registers gauges that query on scrape; missing while the database is down or slow. */
export function gauges(ctx: Pick<Context, 'db' | 'apps'>, registry: Registry): void {
  const simple = asked.map(({ sql, values, ...of }) => ({ ...of, read: () => rowsOf(ctx, sql, values?.(ctx)) }))
  for (const { name, help, labels, read } of [...counted(ctx), ...simple]) {
    const told = figure(read, [])
    registry.registerMetric(
      new Gauge<string>({
        name,
        help,
        labelNames: [...labels],
        registers: [],
        async collect() {
          const figures = await told()
          // Without an await in between: another scrape may run at the same time.
          this.reset()
          // A gauge without labels would export 0, which means healthy.
          if (labels.length === 0) this.remove()
          // Several rows may have the same labels: open calls are also grouped by `waiting_for`.
          for (const { labels: of, value } of figures) this.inc(of, value)
        },
      }),
    )
  }
}

async function rowsOf(
  { db }: Pick<Context, 'db'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Figure[]> {
  const { rows } = await db.query<Record<string, string> & { value: number }>(sql, [...values])
  return rows.map(({ value, ...labels }) => ({ labels, value }))
}
