import { appendFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { seededAccounts } from '../../scripts/demo-accounts.ts'
import { idsIn } from '../../web/parts/ids.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'

/** What is read of a page: its `h1`, what follows, and the button. */
function headlineOn(page: string) {
  const text = (html: string): string =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .trim()
  const [, headline = ''] = /<h1[^>]*>([^]*?)<\/h1>/.exec(page) ?? []
  const [, button = ''] = /<button[^>]*name="decision" value="approve"[^>]*>([^]*?)<\/button>/.exec(page) ?? []
  const follows = [...page.matchAll(/<li data-consequence="(\w+)">([^]*?)<\/li>/g)]
  return {
    headline: text(headline),
    button: text(button),
    consequences: follows.map(([, kind, words = '']) => `${kind}: ${text(words)}`),
  }
}

describe('the confirm page of each write', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  it.each(loadApps({ sandboxUrl: 'http://localhost:8090' }).all.map(({ slug }) => slug))(
    'of %s says who, what and what follows, in a sentence without ids',
    async (slug) => {
      const user = await stack.user()
      const account = (await seededAccounts(stack.ctx.config.sandboxUrl, slug)).find((one) => one.user === 'demo')!
      const { account: externalId, label, session } = account
      const wanted = { owner: user.id, app: slug, externalId, label, session }
      const connected = await connect(stack.ctx, wanted)
      const person = await user.person()
      const writes = [...stack.ctx.apps.get(slug)!.endpoints.values()].filter(({ access }) => access === 'write')
      for (const endpoint of writes) {
        await setConfirm(stack.ctx, user.id, slug, endpoint.name, { confirm: true })
        const { input = {} } = exampleOf(slug, endpoint.name, new Date()) ?? {}
        const headers = { Prefer: 'wait=0', 'X-Callgate-Account': connected }
        const answer = await user.send('POST', `/${slug}/${endpoint.name}`, input, headers)
        expect([answer.status, answer.body['status']], JSON.stringify(answer.body)).toEqual([
          202,
          'awaiting_confirmation',
        ])
        const callId = String(answer.body['call_id'])
        await person.confirmForm(callId)
        const said = headlineOn(await (await person.get(`/confirm/${callId}`)).text())
        const lines = [`${slug}.${endpoint.name}: ${said.headline} [${said.button}]`, ...said.consequences]
        if (process.env['HEADLINES']) await appendFile(process.env['HEADLINES'], `${lines.join('\n    ')}\n`)
        const ids = idsIn(input, endpoint.inputSchema).map(({ id }) => id)
        expect(said.headline.length, lines[0]).toBeLessThanOrEqual(110)
        expect(
          ids.filter((id) => said.headline.includes(id)),
          lines[0],
        ).toEqual([])
        expect(said.headline.replaceAll(/“[^”]*”/g, ''), lines[0]).not.toMatch(
          /\d entr(y|ies)\b|undefined|null|_id\b|[{}[\]]/,
        )
        expect(said.button, lines[0]).toMatch(/^\p{Lu}.{1,39}$/u)
        expect(said.consequences.length, lines[0]).toBeGreaterThan(0)
        await user.reject(callId)
      }
    },
  )
})
