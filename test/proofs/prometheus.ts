import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { freePort } from '../../local-services/dev-server.ts'

const deploy = path.join(import.meta.dirname, '../../deploy')
/** So many times faster than in earnest does time pass for the rules: windows, how long something must hold, and ages in seconds. */
export const faster = 12

export interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
}

interface Scraping {
  readonly job_name: string
}

const ofFile = async <T>(name: string): Promise<T> => parse(await readFile(path.join(deploy, name), 'utf8')) as T

/** Where Prometheus finds the processes, by job of deploy/prometheus.yml. */
export type Targets = Readonly<Record<string, readonly string[]>>

export interface Prometheus {
  readonly alerts: readonly string[]
  /** Alerts that are going off now. */
  firing(): Promise<readonly string[]>
  /** What the expression has come to at any moment since the start, as series with the labels that each has. */
  sinceStart(expr: string): Promise<readonly Readonly<Record<string, string>>[]>
  /** What the expression comes to now. */
  now(expr: string): Promise<readonly { readonly metric: Readonly<Record<string, string>>; readonly value: number }[]>
  stop(): Promise<void>
}

/** A real Prometheus (CALLGATE_PROMETHEUS) with the files of deploy/: its addresses are those of here, and its rules are in more of a hurry. */
export async function startPrometheus(dir: string, targets: Targets): Promise<Prometheus> {
  const config = await ofFile<{ scrape_configs: Scraping[] }>('prometheus.yml')
  expect(config.scrape_configs.map(({ job_name: job }) => job)).toEqual(Object.keys(targets))
  const scrape_configs = config.scrape_configs.map(({ job_name }) => ({
    job_name,
    static_configs: [{ targets: targets[job_name] }],
  }))
  const global = { scrape_interval: '5s', scrape_timeout: '5s', evaluation_interval: '1s' }
  const hurried = inAHurry(await readFile(path.join(deploy, 'alerts.yml'), 'utf8'))
  await writeFile(path.join(dir, 'alerts.yml'), hurried)
  await writeFile(path.join(dir, 'prometheus.yml'), stringify({ ...config, global, scrape_configs }))
  const { groups } = parse(hurried) as { groups: { rules: Rule[] }[] }

  const at = `127.0.0.1:${await freePort()}`
  const log = openSync(path.join(dir, 'prometheus.log'), 'a')
  const files = [`--config.file=${dir}/prometheus.yml`, `--storage.tsdb.path=${dir}/prometheus`]
  const program = process.env['CALLGATE_PROMETHEUS'] ?? 'prometheus'
  const child = spawn(program, [...files, `--web.listen-address=${at}`], { stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const began = Date.now() / 1000
  const ask = async <T>(what: string, query: Readonly<Record<string, string>> = {}): Promise<T> => {
    const answer = await fetch(`http://${at}/api/v1/${what}`, { method: 'POST', body: new URLSearchParams(query) })
    const said = (await answer.json()) as { readonly data: T; readonly error?: string }
    if (!answer.ok) throw new Error(`${query['query']}: ${said.error}`)
    return said.data
  }
  const ready = () =>
    fetch(`http://${at}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(ready, { timeout: 120_000 })
  return {
    alerts: groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? [])),
    async firing() {
      const found = await ask<{ result: { metric: { alertname: string } }[] }>('query', {
        query: 'ALERTS{alertstate="firing"}',
      })
      return found.result.map(({ metric }) => metric.alertname)
    },
    async sinceStart(query) {
      const range = { start: String(began), end: String(Date.now() / 1000), step: '5' }
      const { result } = await ask<{ result: { metric: Record<string, string> }[] }>('query_range', { query, ...range })
      return result.map(({ metric }) => metric)
    },
    async now(query) {
      const { result } = await ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>('query', {
        query,
      })
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

/** Windows and patience, and what `…_seconds` of waiting are compared with. Shares, numbers of calls, and how long an app takes stay. */
function inAHurry(rules: string): string {
  const shorter = (_: string, before: string, count: string, unit: string, behind: string): string =>
    `${before}${(Number(count) * (seconds[unit] ?? 0)) / faster}s${behind}`
  return rules
    .replaceAll(/(\[)(\d+)([smh])(\])/g, shorter)
    .replaceAll(/(for: )(\d+)([smh])()/g, shorter)
    .replaceAll(
      /(_(?:overdue|oldest|failing|pending)_seconds(?:\{[^}]*\})?\)) > (\d+)/g,
      (_, before: string, limit: string) => {
        return `${before} > ${Number(limit) / faster}`
      },
    )
}
