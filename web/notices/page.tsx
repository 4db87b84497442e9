import type { JSX } from 'preact'
import type { NoticeView, TargetView } from '../../core/notices/list.ts'
import type { CallKind } from '../../core/notices/rows.ts'
import type { NewSecret } from '../../core/notices/targets.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Text } from '../parts/text.tsx'
import { NoticeList } from './list.tsx'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { AddDevice, PersonalTargets, TestButton } from './devices.tsx'
import { QuietHours } from './quiet.tsx'
import type { QuietForm } from './quiet.tsx'
import { WebhookCard } from './webhook.tsx'

/** Form values of a new webhook, with errors. */
export interface WebhookForm {
  readonly url: string
  readonly kinds: readonly CallKind[]
  readonly urlProblem?: string
  readonly kindsProblem?: string
}

/** The same for an ntfy topic. */
export interface TopicForm {
  readonly url: string
  readonly problem?: string
}

interface NoticesProps {
  readonly viewer: Viewer
  readonly targets: readonly TargetView[]
  readonly notices: readonly NoticeView[]
  readonly form: WebhookForm
  readonly topic: TopicForm
  readonly quiet: QuietForm
  readonly quietIsOn: boolean
  /** VAPID key: browsers accept pushes from this gateway only. */
  readonly pushKey: string
  readonly device: { readonly name: string; readonly problem?: string }
  readonly mailIsSetUp: boolean
  readonly said: string | null
}

const messages: Readonly<Record<string, string>> = {
  'email-on': 'You get an email when calls are waiting for you.',
  'email-off': 'No more emails are sent.',
  test: 'A test is on its way. Reload this page in a moment to see the result.',
  on: 'It is switched on.',
  off: 'It is switched off. Notices not sent yet are dropped.',
  delete: 'It is removed. Notices not sent yet are dropped.',
  'add-device': 'This device gets notices now. Send it a test to be sure.',
  'add-ntfy': 'The topic is added. Send it a test to be sure.',
  'quiet-on': 'Quiet hours are on.',
  'quiet-off': 'Quiet hours are off.',
}

export function NoticesPage(props: NoticesProps): JSX.Element {
  const { viewer, targets, notices, form, topic, quiet, quietIsOn, pushKey, device, mailIsSetUp, said } = props
  const webhooks = targets.filter(({ channel }) => channel === 'webhook')
  const email = targets.find(({ channel }) => channel === 'email')
  return (
    <Layout title="Notices" viewer={viewer} wide script="device.js">
      <p class="eyebrow">
        <a href="/account">Account</a>
      </p>
      <h1>Notices</h1>
      <p class="lead">
        How you and your programs hear about calls. A notice never decides anything: you always sign in and decide on
        the page.
      </p>
      <FlashMessage what={said} words={messages} />
      <div class="columns">
        <div>
          <section class="card" aria-labelledby="devices">
            <h2 id="devices">Your phones and computers</h2>
            <PersonalTargets viewer={viewer} targets={targets.filter(({ channel }) => channel === 'push')} />
            <AddDevice viewer={viewer} publicKey={pushKey} name={device.name} problem={device.problem} />
          </section>
          <section class="card" aria-labelledby="email">
            <div class="row">
              <h2 id="email">Email about waiting calls</h2>
              {mailIsSetUp && (
                <span class={email?.enabled === true ? 'tag good' : 'tag'}>
                  {email?.enabled === true ? 'on' : 'off'}
                </span>
              )}
            </div>
            {mailIsSetUp ? (
              <EmailSwitch viewer={viewer} email={email} />
            ) : (
              <p class="hint">Email is not set up: the operator of this Callgate has named no mail server.</p>
            )}
          </section>
          <Topics viewer={viewer} targets={targets.filter(({ channel }) => channel === 'ntfy')} form={topic} />
          <QuietHours viewer={viewer} on={quietIsOn} form={quiet} />
        </div>
        <div>
          {webhooks.map((target) => (
            <WebhookCard key={target.id} viewer={viewer} target={target} />
          ))}
          <NewWebhook viewer={viewer} form={form} />
          <section class="card" aria-labelledby="last">
            <h2 id="last">Last notices</h2>
            {notices.length === 0 ? <p class="empty">Nothing yet.</p> : <NoticeList notices={notices} />}
          </section>
        </div>
      </div>
    </Layout>
  )
}

function EmailSwitch(props: { readonly viewer: Viewer; readonly email: TargetView | undefined }): JSX.Element {
  const { viewer, email } = props
  const on = email?.enabled === true
  return (
    <>
      <p class="hint">
        To <Text value={viewer.email} />: the first right away, more within 15 minutes together in one mail, with a link
        to each call.
      </p>
      {email !== undefined && on && (
        <p>
          <a href={`/notices/${email.id}`}>What these emails include</a>
        </p>
      )}
      <div class="row buttons">
        <ActionForm viewer={viewer} action="/notices" label="Email about waiting calls" class="row">
          <button class={on ? 'quiet' : 'primary'} type="submit" name="action" value={on ? 'email-off' : 'email-on'}>
            {on ? 'Switch emails off' : 'Switch emails on'}
          </button>
        </ActionForm>
        {email !== undefined && <TestButton viewer={viewer} target={email} label="email" />}
      </div>
    </>
  )
}

function Topics(props: {
  readonly viewer: Viewer
  readonly targets: readonly TargetView[]
  readonly form: TopicForm
}): JSX.Element {
  const { viewer, targets, form } = props
  return (
    <section class="card" aria-labelledby="ntfy">
      <h2 id="ntfy">ntfy</h2>
      <p class="hint">
        <a href="https://ntfy.sh/" rel="noreferrer">
          ntfy
        </a>{' '}
        brings notices to phones by an app of its own, without Google or Apple if you run its server. Anyone who knows
        the topic can read along, unless the server asks for a token.
      </p>
      <PersonalTargets viewer={viewer} targets={targets} />
      <details open={form.problem !== undefined || undefined}>
        <summary>Add a topic</summary>
        <ActionForm viewer={viewer} action="/notices" label="A topic of ntfy">
          <label>
            Address of the topic
            <input
              type="text"
              name="topic"
              value={form.url}
              inputmode="url"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              required
              maxLength={2_000}
              placeholder="https://ntfy.sh/a-word-nobody-guesses"
              aria-invalid={form.problem !== undefined}
              aria-describedby={form.problem === undefined ? undefined : 'topic-problem'}
            />
          </label>
          {form.problem !== undefined && (
            <p class="problem" role="alert" id="topic-problem">
              {form.problem}
            </p>
          )}
          <label>
            Access token, if needed
            <input type="password" name="token" maxLength={100} autocomplete="off" placeholder="tk_…" />
          </label>
          <button class="primary" type="submit" name="action" value="add-ntfy">
            Add the topic
          </button>
        </ActionForm>
      </details>
    </section>
  )
}

function NewWebhook({ viewer, form }: { readonly viewer: Viewer; readonly form: WebhookForm }): JSX.Element {
  const { url, kinds, urlProblem, kindsProblem } = form
  return (
    <section class="card" aria-labelledby="new">
      <h2 id="new">A new webhook</h2>
      <p class="hint">
        Callgate sends your program a short signed message, and repeats it for up to three days until it is accepted.
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
            is waiting for you
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

/** The only page that shows a webhook secret. */
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
          Copy it now: you will not see it again. With it your program checks that a message comes from Callgate.
        </p>
        <ShownOnce text={made.secret} copy="Copy the secret" />
        {replaced && <p>For a day each message carries two signatures: with this secret, and with the one before.</p>}
        <p class="hint">
          Messages are signed following{' '}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer">
            Standard Webhooks
          </a>
          ; its libraries can check them. <a href="/notices">Back to the notices</a>
        </p>
      </article>
    </Layout>
  )
}
