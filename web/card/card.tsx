import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CallRow } from '../../core/calls/rows.ts'
import { openInput } from '../../core/calls/record.ts'
import type { Context } from '../../core/context.ts'
import { Consequences, SentenceLine } from '../confirm/sentence.tsx'
import { knownThings } from '../parts/known-things.ts'
import { openedCall } from '../parts/opened-call.ts'
import { headlineOf } from '../parts/headline.ts'
import { Known } from '../parts/things.ts'
import { Time } from '../parts/time.tsx'
import { withTold } from '../parts/told.ts'
import { toldOf } from '../parts/told-view.ts'
import { Fields } from '../parts/value.tsx'

/** Maximum characters of a card; longer content is on the page only. */
const longest = 32_768

/**
 * The approval page's content for display beside a conversation (MCP), without buttons: it decides
 * nothing. Undefined if it cannot be shown.
 */
export async function cardOf(ctx: Context, own: CallRow): Promise<string | undefined> {
  const { row, legible } = openedCall(ctx, own)
  if (!legible || row.input === null) return undefined
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const input = openInput(ctx, row)
  const telling = { app, endpoint }
  const told = toldOf(ctx, row, telling, input)
  const things = withTold(await knownThings(ctx, row), telling, told.things, row.previewed_at)
  const headline = headlineOf({ ...telling, name: row.endpoint, input, told: told.seen, things })
  const card = (content: JSX.Element): string =>
    renderToString(
      <>
        <p class="eyebrow">Waiting for your approval · {app?.name ?? row.app}</p>
        <h1>
          <SentenceLine sentence={headline.sentence} />
        </h1>
        <Consequences {...headline} />
        <h2>What will be sent</h2>
        {content}
        {row.expires_at !== null && (
          <p class="hint">
            Decide by <Time at={row.expires_at} />
          </p>
        )}
      </>,
    )
  const whole = card(
    <Known.Provider value={things}>
      <Fields value={input} schema={endpoint?.inputSchema} />
    </Known.Provider>,
  )
  return whole.length <= longest
    ? whole
    : card(<p class="empty">It is too long for this card: its page has all of it.</p>)
}
