import type { JSX } from 'preact'
import type { StandingState } from '../../core/approvals/standing.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import type { CallLine } from '../calls/call-lines.ts'
import { ActionForm, CallList, FlashMessage } from '../parts/dashboard.tsx'
import { Uses } from './list.tsx'
import { fieldOf, newStandingPath, Sentence, StateTag } from './summary.tsx'
import type { Standing } from './summary.tsx'

interface PageProps {
  readonly viewer: Viewer
  readonly standing: Standing
  readonly uses: readonly CallLine[]
  /** Id of the last use shown, if there are older ones. */
  readonly next: string | undefined
  /** Input fields that the rule does not restrict. */
  readonly open: readonly string[]
  readonly said: string | null
}

const messages: Readonly<Record<string, string>> = {
  made: 'Approved in advance, for new calls. Calls that are already waiting still wait for you.',
  revoked: 'Revoked. It approves nothing any more, and calls that were not being sent yet were taken back.',
}

export function StandingPage(props: PageProps): JSX.Element {
  const { viewer, standing, uses, next, open } = props
  const { row, list, endpoint } = standing
  const action = actionOf(endpoint, row.endpoint)
  return (
    <Layout title={`Standing approval: ${action}`} viewer={viewer} wide>
      <p class="eyebrow">
        <a href="/standing">Standing approvals</a> · {standing.appName}
      </p>
      <h1>{action}</h1>
      {endpoint && <p class="lead">{endpoint.summary}</p>}
      <FlashMessage what={props.said} words={messages} />
      <div class="columns list-first">
        <div>
          <article class="card">
            <Ended {...props} />
            <p>
              <Sentence standing={standing} /> <StateTag state={standing.state} />
            </p>
            {open.length > 0 && (
              <p class="hint">
                {row.field === null ? 'Its fields can say anything: ' : 'The other fields can say anything: '}
                {open.map((name) => fieldOf(endpoint, name)).join(', ')}.
              </p>
            )}
            {list != null && <Listed field={fieldOf(endpoint, row.field ?? '')} list={list} />}
            <p class="hint">
              Made <Time at={row.created_at} /> · <Uses standing={standing} />
            </p>
            <Actions {...props} />
          </article>
        </div>
        <div>
          <section class="card" aria-labelledby="uses">
            <h2 id="uses">{counted(row.used, 'call')} approved by it</h2>
            {uses.length > 0 && <CallList lines={uses} />}
            {next !== undefined && (
              <p>
                <a href={`/standing/${row.id}?before=${next}`}>Older calls</a>
              </p>
            )}
          </section>
        </div>
      </div>
    </Layout>
  )
}

function Listed({ field, list }: { readonly field: string; readonly list: readonly string[] }): JSX.Element {
  return (
    <details open={list.length <= 20}>
      <summary>
        {counted(list.length, 'value')} of “{field}”
      </summary>
      <ul class="plainlist">
        {list.map((value) => (
          <li key={value}>
            <Text value={value} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const ends: Readonly<Record<Exclude<StandingState, 'stands'>, readonly [tone: string, words: string]>> = {
  revoked: ['plain', 'You revoked this. It approves nothing any more.'],
  over: ['plain', 'It has ended and approves nothing any more.'],
  gone: [
    'warn',
    'Callgate does not have this action right now, or not the field that this depends on. It approves nothing until then; calls wait for you.',
  ],
  invalid: [
    'bad',
    'This is not valid any more: the key that proved it is yours is gone, or it was changed by somebody else. It approves nothing; calls wait for you. Revoke it, and make it again if you still want it.',
  ],
}

const disconnected = ['plain', 'It ended with the account, which was disconnected.'] as const

function Ended({ standing: { row, state } }: PageProps): JSX.Element | null {
  if (state === 'stands') return null
  const [tone, words] = state === 'revoked' && !row.account_connected ? disconnected : ends[state]
  return (
    <p class={`notice ${tone}`}>
      {words}
      {state === 'revoked' && row.revoked_at !== null && (
        <>
          {' ('}
          <Time at={row.revoked_at} />)
        </>
      )}
    </p>
  )
}

function Actions({ viewer, standing: { row, state } }: PageProps): JSX.Element {
  const again = (
    <a href={newStandingPath({ app: row.app, endpoint: row.endpoint, account: row.account })}>Make another one</a>
  )
  if (state === 'revoked') return <p>{again}</p>
  return (
    <ActionForm viewer={viewer} action={`/standing/${row.id}`} class="row buttons" label="Revoke">
      <button class="danger" type="submit" name="action" value="revoke">
        Revoke
      </button>
      {again}
    </ActionForm>
  )
}
