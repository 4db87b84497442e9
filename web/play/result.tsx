import type { JSX } from 'preact'
import type { CallAnswer } from '../../core/http/answers.ts'
import type { Code } from './code.ts'
import { Text } from '../parts/text.tsx'
import { counted } from '../parts/time.tsx'

/** Response of a run, as an API client receives it. */
export interface Played {
  readonly status: number
  readonly body: unknown
  /** Undefined: refused before a call was created. */
  readonly answer?: CallAnswer
}

export function Result({ played }: { readonly played: Played }): JSX.Element {
  const { status, body, answer } = played
  const waits = answer?.outcome === 'awaiting_confirmation'
  const tone = status === 200 ? 'good' : status === 202 ? 'warn' : 'bad'
  return (
    <section class={`notice ${tone}`} role="status" aria-labelledby="result">
      <h2 id="result">
        {status === 200
          ? 'Done'
          : waits
            ? 'It waits for your approval; nothing was sent yet'
            : status === 202
              ? 'Accepted'
              : 'Refused or failed'}{' '}
        <code>{status}</code>
      </h2>
      {answer && (
        <p>
          {waits && (
            <>
              <a href={`/confirm/${answer.callId}`}>Read and decide</a> ·{' '}
            </>
          )}
          <a href={`/calls/${answer.callId}`}>The call</a> · {counted(answer.creditsUsed, 'credit')} used
          {answer.replayed && ' · this call was asked for before: it is the same one'}
        </p>
      )}
      <Links body={body} />
      <pre class="answer" tabindex={0} role="region" aria-label="Answer">
        <Text value={JSON.stringify(body, null, 2)} />
      </pre>
    </section>
  )
}

/** Links to fix what was refused. */
function Links({ body }: { readonly body: unknown }): JSX.Element | null {
  const { connect_url: connect, request_access_url: access } = Object(body) as Record<string, unknown>
  if (typeof connect === 'string')
    return (
      <p>
        <a href={connect}>Connect the account</a>
      </p>
    )
  if (typeof access !== 'string') return null
  return (
    <p>
      <a href={access}>Let the key use this app</a>
    </p>
  )
}

/** `id`: unique on the page. */
export function CodeBlock({ code }: { readonly code: Omit<Code, 'id'> & { readonly id: string } }): JSX.Element {
  const { id, name, hint, text } = code
  return (
    <div class="code">
      <div class="row">
        <h3 id={`code-${id}`}>{name}</h3>
        <button class="quiet" type="button" data-copy={`text-${id}`} hidden>
          Copy
        </button>
      </div>
      <p class="hint">{hint}</p>
      <pre id={`text-${id}`} tabindex={0} role="region" aria-labelledby={`code-${id}`}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
