import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { run } from '../client/run.ts'

/** The rules for a Prometheus, judged by its own tool (CALLGATE_PROMTOOL: scripts/prove.ts). */
const deploy = path.join(import.meta.dirname, '../../deploy')
const promtool = (...args: readonly string[]) =>
  run(process.env['CALLGATE_PROMTOOL'] ?? 'promtool', args, { cwd: deploy, env: { PATH: process.env['PATH'] ?? '' } })

test('the rules are what Prometheus understands', async () => {
  const { code, out, err } = await promtool('check', 'rules', 'alerts.yml')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('SUCCESS: 43 rules found')
})

test('each alert goes off when it should, with words that fit, and keeps still when it should', async () => {
  const { code, out, err } = await promtool('test', 'rules', 'alerts.test.yml')
  expect([code, err, out]).toEqual([0, '', expect.stringContaining('SUCCESS')])
  const read = async (file: string): Promise<unknown> => parse(await readFile(path.join(deploy, file), 'utf8'))
  const rules = (await read('alerts.yml')) as { groups: { rules: { alert?: string }[] }[] }
  const { tests } = (await read('alerts.test.yml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
  }
  const asked = tests.flatMap(({ alert_rule_test: all }) => all)
  const named = (fires: boolean) =>
    asked.filter(({ exp_alerts: all }) => all.length > 0 === fires).map(({ alertname }) => alertname)
  const alerts = rules.groups.flatMap(({ rules: all }) => all.flatMap(({ alert }) => alert ?? []))
  expect([named(true), named(false)]).toEqual([alerts, alerts])
})
