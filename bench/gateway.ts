import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { hidden } from '../scripts/browsing.ts'
import { app } from './people.ts'
import type { Person } from './people.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The gateway as agents and browsers reach it. */
export class Gateway {
  /** Number of 429 answers. */
  limited = 0
  /** Number of 503 answers, which are retried only if `patient`. */
  away = 0
  readonly #pool: Pool

  readonly #patient: boolean

  constructor(publicUrl: string, options: { readonly patient?: boolean } = {}) {
    this.#patient = options.patient ?? false
    this.#pool = new Pool(publicUrl, { connections: 32 })
  }

  /** Calls an endpoint, and waits when rate limited. Throws for an unexpected status. */
  async call(person: Person, endpoint: string, input: object, expected = 200): Promise<Answer['body']> {
    for (;;) {
      const { statusCode, headers, body } = await this.#pool.request({
        path: `/api/v1/${app}/${endpoint}`,
        method: 'POST',
        headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      const answer = (await body.json()) as Answer['body']
      if (statusCode === expected) return answer
      const away = statusCode === 503 && this.#patient
      if (statusCode !== 429 && !away) throw new Error(`${endpoint}: ${statusCode} ${JSON.stringify(answer)}`)
      if (away) this.away++
      else this.limited++
      await pause(Number(headers['retry-after'] ?? 1) * 1000)
    }
  }

  /** The record once the call is final. */
  async ended(person: Person, callId: string): Promise<Answer['body']> {
    const { body } = await this.#pool.request({
      path: `/api/v1/calls/${callId}?wait=30`,
      method: 'GET',
      headers: { authorization: `Bearer ${person.key}` },
    })
    return (await body.json()) as Answer['body']
  }

  /** The form that the approval page would post. */
  async confirmForm(person: Person, callId: string): Promise<string> {
    const { body } = await this.#pool.request({
      path: `/confirm/${callId}`,
      method: 'GET',
      headers: { cookie: person.browser },
    })
    const page = await body.text()
    return new URLSearchParams({
      decision: 'approve',
      csrf: hidden(page, 'csrf'),
      approval_hash: hidden(page, 'approval_hash'),
    }).toString()
  }

  async approve(person: Person, callId: string, form: string): Promise<void> {
    const { statusCode, body } = await this.#pool.request({
      path: `/confirm/${callId}`,
      method: 'POST',
      headers: { cookie: person.browser, 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    })
    await body.dump()
    if (statusCode !== 303) throw new Error(`the approval answered ${statusCode}`)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
