import type { JSX } from 'preact'
import type { NoticeView, TargetView } from '../../core/notices/list.ts'
import type { CallKind, NewSecret } from '../../core/notices/targets.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Text } from '../parts/text.tsx'
import { NoticeList } from './list.tsx'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { WebhookCard } from './webhook.tsx'

/** What the form for a new webhook shows: what was typed, and what is wrong with it. */
export interface WebhookForm {
  readonly url: string
  readonly kinds: readonly CallKind[]
  readonly urlProblem?: string
  readonly kindsProblem?: string
}

interface NoticesProps {
  readonly viewer: Viewer
  readonly targets: readonly TargetView[]
  readonly notices: readonly NoticeView[]
  readonly form: WebhookForm
  readonly mailIsSetUp: boolean
  readonly said: string | null
}

const messages: Readonly<Record<string, string>> = {
  'email-on': 'You get an email when calls wait for you.',
  'email-off': 'No more emails are sent.',
  test: 'A test is on its way. Load this page again in a moment to see what came of it.',
  on: 'The webhook is switched on.',
  off: 'The webhook is switched off. What was still to be told there is dropped.',
  delete: 'The webhook is deleted.',
}

export function NoticesPage({ viewer, targets, notices, form, mailIsSetUp, said }: NoticesProps): JSX.Element {
  const webhooks = targets.filter(({ channel }) => channel === 'webhook')
  const email = targets.find(({ channel }) => channel === 'email')
  return (
    <Layout title="Notices" viewer={viewer}>
      <h1>Notices</h1>
      <p class="lead">How you and your programs hear of calls. No notice shows what a call says or answers.</p>
      <FlashMessage what={said} words={messages} />
      <section class="card" aria-labelledby="email">
        <div class="row">
          <h2 id="email">Email about waiting calls</h2>
          {mailIsSetUp && (
            <span class={email?.enabled === true ? 'tag good' : 'tag'}>{email?.enabled === true ? 'on' : 'off'}</span>
          )}
        </div>
        {mailIsSetUp ? (
          <EmailSwitch viewer={viewer} on={email?.enabled === true} />
        ) : (
          <p class="hint">Email is not set up: the operator of this Callgate has named no mail server.</p>
        )}
      </section>
      {webhooks.length > 0 && (
        <p>
          <a href="#new">New webhook</a>
        </p>
      )}
      {webhooks.map((target) => (
        <WebhookCard key={target.id} viewer={viewer} target={target} />
      ))}
      <NewWebhook viewer={viewer} form={form} />
      <section class="card" aria-labelledby="last">
        <h2 id="last">Last notices</h2>
        {notices.length === 0 ? <p class="empty">Nothing yet.</p> : <NoticeList notices={notices} />}
      </section>
    </Layout>
  )
}

function EmailSwitch({ viewer, on }: { readonly viewer: Viewer; readonly on: boolean }): JSX.Element {
  return (
    <ActionForm viewer={viewer} action="/notices" label="Email about waiting calls">
      <p class="hint">
        To <Text value={viewer.email} />, at most one in five minutes, with a link to each call that still waits.
      </p>
      <button class={on ? 'quiet' : 'primary'} type="submit" name="action" value={on ? 'email-off' : 'email-on'}>
        {on ? 'Switch emails off' : 'Switch emails on'}
      </button>
    </ActionForm>
  )
}

function NewWebhook({ viewer, form }: { readonly viewer: Viewer; readonly form: WebhookForm }): JSX.Element {
  const { url, kinds, urlProblem, kindsProblem } = form
  return (
    <section class="card" aria-labelledby="new">
      <h2 id="new">A new webhook</h2>
      <p class="hint">
        Callgate posts a short signed message to your program, and repeats it for three days until it is taken.
      </p>
      <ActionForm viewer={viewer} action="/notices" label="A new webhook">
        <label>
          Address
          <input
            type="text"
            name="url"
            value={url}
            inputmode="url"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            required
            maxLength={2_000}
            placeholder="https://example.com/hooks/callgate"
            autofocus={urlProblem !== undefined}
            aria-invalid={urlProblem !== undefined}
            aria-describedby={urlProblem === undefined ? undefined : 'url-problem'}
          />
        </label>
        {urlProblem !== undefined && (
          <p class="problem" role="alert" id="url-problem">
            {urlProblem}
          </p>
        )}
        <fieldset aria-describedby={kindsProblem === undefined ? undefined : 'kinds-problem'}>
          <legend>Tell it when</legend>
          <label class="tick">
            <input type="checkbox" name="kind" value="call.waiting" checked={kinds.includes('call.waiting')} /> a call
            waits for you
          </label>
          <label class="tick">
            <input type="checkbox" name="kind" value="call.final" checked={kinds.includes('call.final')} /> a call has
            ended
          </label>
        </fieldset>
        {kindsProblem !== undefined && (
          <p class="problem" role="alert" id="kinds-problem">
            {kindsProblem}
          </p>
        )}
        <button class="primary" type="submit" name="action" value="add">
          Add the webhook
        </button>
      </ActionForm>
    </section>
  )
}

/** The only page that shows a secret. */
export function NewSecretPage(props: {
  readonly viewer: Viewer
  readonly made: NewSecret
  readonly replaced: boolean
}): JSX.Element {
  const { viewer, made, replaced } = props
  return (
    <Layout title="The secret of your webhook" viewer={viewer} script="play.js">
      <article class="card">
        <p class="eyebrow">
          <Text value={made.url} />
        </p>
        <h1>{replaced ? 'The new secret of your webhook' : 'The secret of your webhook'}</h1>
        <p class="notice warn">
          Copy it now: it is shown this once. With it your program checks that a message comes from Callgate.
        </p>
        <ShownOnce text={made.secret} copy="Copy the secret" />
        {replaced && <p>For a day each message carries two signatures: with this secret, and with the one before.</p>}
        <p class="hint">
          Messages are signed as{' '}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer">
            Standard Webhooks
          </a>{' '}
          says; its libraries check them. <a href="/notices">Back to the notices</a>
        </p>
      </article>
    </Layout>
  )
}
