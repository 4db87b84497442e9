import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { AskedOrigin } from '../../connectors/kit/origin.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { App } from '../../connectors/registry.ts'
import { exampleOf } from '../../connectors/runtime/typed-address.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import type { WaitingForSignIn } from '../queries.ts'
import { actionOf } from '../parts/declared.ts'
import { AddedNote } from '../parts/added-app.tsx'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'

interface ConnectProps {
  readonly viewer: Viewer
  readonly app: App
  readonly accounts: readonly Account[]
  /** The account to renew. */
  readonly wanted: Account | undefined
  /** Approved calls that wait for this sign-in. */
  readonly waiting: readonly WaitingForSignIn[]
  /** Outcome of the sign-in just made: `same`, or `other` than the wanted account. */
  readonly done: string | null
  /** The call from whose page the user came. */
  readonly call: CallRow | undefined
}

/** Why an account has to be connected again. */
export const reasons: Readonly<Record<ReconnectCode, string>> = {
  AUTH_EXPIRED: 'The app ended the sign-in. It has to be made again.',
  CAPTCHA_REQUIRED: 'The app asks for a check that only a person can pass (a CAPTCHA).',
  MFA_REQUIRED: 'The app asks for a second factor, such as a code from your phone.',
}

export function ConnectPage({ viewer, app, accounts, wanted, waiting, done, call }: ConnectProps): JSX.Element {
  const broken = accounts.filter((account) => account.state !== 'connected')
  const title = titleOf(app, accounts.length, broken.length)
  return (
    <Layout title={title} viewer={viewer} wide script="connect.js">
      <article class="card">
        <p class="eyebrow">
          <a href={`/apps/${app.slug}`}>{app.name}</a>
        </p>
        <h1>{title}</h1>
        {done === 'other' ? (
          <OtherAccount wanted={wanted} />
        ) : (
          done !== null && (
            <p class="notice good" role="status">
              Connected. The browser is gone, and its session is kept encrypted.
            </p>
          )
        )}
        {call && accounts.some(({ id, state }) => id === call.account && state === 'connected') && (
          <p>
            <a href={`/confirm/${call.id}`}>
              {call.status === 'awaiting_confirmation' ? 'Back to your approval' : 'Back to the call'}
            </a>
          </p>
        )}
        <p>{app.description}</p>
        <AddedNote app={app} />
        <WaitingCalls app={app} waiting={waiting} isOver={broken.length === 0} />
        {accounts.length === 0 ? (
          <dl class="facts">
            <div>
              <dt>Account needed</dt>
              <dd>{app.role}</dd>
            </div>
          </dl>
        ) : (
          <ul class="accounts">
            {accounts.map((account) => (
              <AccountState key={account.id} account={account} among={accounts.length} />
            ))}
          </ul>
        )}
        <Live app={app} wanted={wanted} call={call} first={accounts.length === 0} broken={broken[0]} />
        <p class="hint">
          You sign in yourself, at the app's own page. Callgate never types your password, never solves a CAPTCHA, never
          skips a second factor, and keeps nothing of what you type.{' '}
          <a href={`/docs/${app.slug}`}>What this app offers</a>
        </p>
      </article>
    </Layout>
  )
}

/** How many calls are listed. */
const mostNamed = 5

/** Approved calls that need the sign-in. They continue after it; each call's page shows how. */
function WaitingCalls(props: {
  readonly app: App
  readonly waiting: readonly WaitingForSignIn[]
  readonly isOver: boolean
}): JSX.Element | null {
  const { app, waiting, isOver } = props
  if (waiting.length === 0) return null
  const [one, calls] = [waiting.length === 1, counted(waiting.length, 'approved call')]
  return (
    <div class={isOver ? 'notice good' : 'notice warn'}>
      <p>
        {isOver
          ? `${calls} waited for this and ${one ? 'goes' : 'go'} on now:`
          : `${calls} ${one ? 'waits' : 'wait'} for this, for up to 72 hours, and ${one ? 'continues' : 'continue'} as soon as the same account is connected again:`}
      </p>
      <ul class="plainlist">
        {waiting.slice(0, mostNamed).map(({ id, endpoint }) => (
          <li key={id}>
            <a href={`/calls/${id}`}>{actionOf(app.endpoints.get(endpoint), endpoint)}</a>
          </li>
        ))}
        {waiting.length > mostNamed && <li>{`and ${waiting.length - mostNamed} more`}</li>}
      </ul>
    </div>
  )
}

/** The user signed in to another account than the one to renew. */
function OtherAccount({ wanted }: { wanted: Account | undefined }): JSX.Element {
  const renewed = wanted === undefined || wanted.state === 'connected'
  return (
    <p class={renewed ? 'notice good' : 'notice warn'} role="status">
      This is another account than the one that had to be renewed, so it was added beside it.
      {!renewed && (
        <>
          {' '}
          <strong>
            <Text value={wanted.label} />
          </strong>{' '}
          still has to be signed in to again.
        </>
      )}
    </p>
  )
}

/** `among`: number of accounts listed. */
function AccountState({ account, among }: { account: Account; among: number }): JSX.Element {
  const connected = account.state === 'connected'
  return (
    <li>
      <div class="row">
        <strong>
          <Text value={account.label} />
        </strong>
        <span class={connected ? 'tag good' : 'tag warn'}>{connected ? 'connected' : 'sign in again'}</span>
      </div>
      {!connected && (
        <p>
          {reasons[account.reason ?? 'AUTH_EXPIRED']}{' '}
          {among > 1 && <a href={`/connect/${account.app}?account=${account.id}`}>Sign in again</a>}
        </p>
      )}
      {account.origin !== '' && (
        <p class="mono at">
          <Text value={account.origin} />
        </p>
      )}
      {account.connected_at && (
        <p class="hint">
          Last connected <Time at={account.connected_at} />
        </p>
      )}
    </li>
  )
}

/** The app's address, as the user types it: connect.js sends it, and shows what is wrong. */
function AddressField({ asked, value }: { asked: AskedOrigin; value: string | undefined }): JSX.Element {
  const example = 'pattern' in asked ? exampleOf(asked.pattern) : 'https://example.com/'
  return (
    <label class="address">
      {asked.ask}
      <input
        type="text"
        inputmode="url"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        maxlength={500}
        placeholder={example}
        value={value}
        data-address
      />
      <span class="hint">As in your browser's address bar. Nothing but this app is opened there.</span>
    </label>
  )
}

/** A browser on our side, shown live: connect.js draws it and sends the user's input. */
function Live(props: {
  app: App
  wanted: Account | undefined
  call: CallRow | undefined
  first: boolean
  broken: Account | undefined
}): JSX.Element {
  const { app, wanted, call, first } = props
  const broken = props.broken !== undefined
  const usual = props.broken?.origin
  // An account that works needs no renewal: a sign-in to any account is welcome.
  const renew = wanted?.state === 'connected' ? undefined : wanted?.id
  const label = first ? `Sign in to ${app.name}` : broken ? 'Sign in again' : 'Connect another account'
  return (
    <LiveScreen
      app={app}
      heading="Sign in"
      account={renew}
      call={call?.id}
      address={
        typeof app.origin !== 'string' && renew === undefined && <AddressField asked={app.origin} value={usual} />
      }
      open={
        <button class={first || broken ? 'primary' : 'quiet'} type="button" data-open>
          {label}
        </button>
      }
    />
  )
}

/** The live picture of the browser, with its controls. */
export function LiveScreen(props: {
  readonly app: App
  readonly heading: string
  readonly account: string | undefined
  readonly call?: string | undefined
  /** Id of the recording to make. */
  readonly record?: string
  readonly address?: JSX.Element | false
  /** The button that opens the browser. */
  readonly open: JSX.Element
}): JSX.Element {
  const { app, heading, account, call, record, address, open } = props
  return (
    <section
      class="live"
      aria-label={heading}
      data-live={app.slug}
      data-account={account}
      data-call={call}
      data-record={record}
    >
      {address}
      <p>{open}</p>
      <noscript>
        <p class="notice warn">The picture of the browser needs JavaScript.</p>
      </noscript>
      {record !== undefined && (
        <>
          <div class="notice warn row" data-recording role="status" hidden>
            <strong>● Recording what you do</strong>
            <button class="primary" type="button" data-stop>
              Stop
            </button>
          </div>
          <div data-review hidden />
        </>
      )}
      <Screen app={app} />
    </section>
  )
}

function Screen({ app }: { readonly app: App }): JSX.Element {
  return (
    <div class="screen" hidden>
      <div class="row tools">
        <span class="hint" data-said role="status" />
        <span class="row buttons">
          <Do what="back">Back</Do>
          <Do what="reload">Reload</Do>
          <button class="quiet" type="button" data-zoom="out" aria-label="Zoom out">
            −
          </button>
          <button class="quiet" type="button" data-zoom="in" aria-label="Zoom in">
            +
          </button>
          <span class="unseen" data-zoomed role="status" />
          <button class="quiet" type="button" data-in-words aria-expanded="false">
            In words
          </button>
          <Do what="close">Close</Do>
        </span>
      </div>
      <p class="where" data-at aria-live="polite" hidden>
        <span class="unseen">Address of the page: </span>
        <span class="lock" data-encrypted />
        <span class="mono">
          <strong />
          <span data-path />
        </span>
        <span data-written hidden />
      </p>
      <div class="wants" data-wants data-app={app.name} aria-live="polite" hidden />
      <div class="sides">
        <div class="glass">
          <div class="pane">
            <canvas aria-hidden="true" />
            <textarea
              aria-label={`The sign-in page of ${app.name}: what you type goes there`}
              aria-describedby="glass-ways"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
            />
          </div>
        </div>
        <section class="words" aria-labelledby="in-words" hidden>
          <h2 id="in-words" tabindex={-1}>
            The page in words
          </h2>
          <p class="hint">
            For screen readers, and for whoever prefers it to the picture: fields, buttons and links of the page as the
            app names them. What you do here is done there.
          </p>
          <div class="pieces" data-pieces />
          <p class="unseen" data-news role="status" />
        </section>
      </div>
      <p class="unseen" id="glass-ways">
        This is a picture. “In words” shows the page as fields, buttons and links instead. Escape leads out of it.
      </p>
      <div class="row put">
        <label>
          Paste a password or a code here
          <input
            type="password"
            name="for-the-app"
            autocomplete="one-time-code"
            maxlength={2000}
            aria-describedby="put-where"
            data-paste
          />
        </label>
        <button class="quiet" type="button" data-put>
          Put it in
        </button>
        <p class="hint" id="put-where">
          It goes into the field that is chosen in the picture, at the address above, and is not kept here. Never the
          password of Callgate.
        </p>
      </div>
    </div>
  )
}

function Do({
  what,
  children,
}: {
  readonly what: 'back' | 'reload' | 'close'
  readonly children: string
}): JSX.Element {
  return (
    <button class="quiet" type="button" data-do={what}>
      {children}
    </button>
  )
}

function titleOf(app: App, all: number, broken: number): string {
  if (all === 0) return `Connect your account of ${app.name}`
  return broken > 0 ? 'Sign in to the app again' : 'Connected'
}
