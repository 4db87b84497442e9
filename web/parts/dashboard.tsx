import type { ComponentChildren, JSX } from 'preact'
import type { CallStatus } from '../../schemas/call.ts'
import type { Viewer } from './layout.tsx'
import { failures } from './call-status-text.ts'
import { Dotted } from './dotted.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { Text } from './text.tsx'
import { Ago } from './time.tsx'
import type { CallLine, ListedRow } from '../calls/call-lines.ts'

/** A form with the session's CSRF token. */
export function ActionForm(props: {
  readonly viewer: Pick<Viewer, 'csrf'>
  readonly action: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly label?: string
  /** Approve is enabled only once the user can have read what it sends. */
  readonly guard?: boolean
}): JSX.Element {
  return (
    <form
      class={props.class ?? 'stack'}
      method="post"
      action={props.action}
      aria-label={props.label}
      data-guard={props.guard}
    >
      <input type="hidden" name="csrf" value={props.viewer.csrf} />
      {props.children}
    </form>
  )
}

/** Confirmation step: the first click unfolds the explanation and the actual button. */
export function Sure(props: {
  readonly what: string
  /** Irreversible. */
  readonly danger?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <details class={props.danger === true ? 'sure danger' : 'sure'}>
      <summary>
        {props.danger === true && <Icon name="trash" />}
        {props.what}…
      </summary>
      {props.children}
    </details>
  )
}

/** Sticky save bar of a long form. */
export function SaveBar(props: { readonly action: string; readonly hint: string }): JSX.Element {
  return (
    <div class="decide save">
      <p class="hint">{props.hint}</p>
      <button class="primary" type="submit" name="action" value={props.action}>
        Save
      </button>
    </div>
  )
}

/** Tone and icon of each status, on all pages. */
const looks: Readonly<Record<CallStatus, readonly [tone: string, icon: IconName]>> = {
  awaiting_confirmation: ['warn', 'clock'],
  running: ['', 'arrow-path'],
  executed: ['good', 'check-circle'],
  failed: ['bad', 'x-circle'],
  unknown: ['warn', 'question-mark-circle'],
  rejected: ['', 'no-symbol'],
  expired: ['', 'clock'],
  cancelled: ['', 'no-symbol'],
}

export const statusWords: Readonly<Record<CallStatus, string>> = {
  awaiting_confirmation: 'waiting for you',
  running: 'in progress',
  executed: 'done',
  failed: 'failed',
  unknown: 'uncertain',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
}

function StatusTag({ row: { status, resolution } }: { readonly row: ListedRow }): JSX.Element {
  const found = resolution && (resolution.happened ? 'it happened' : 'it did not happen')
  const [tone, icon] = resolution ? (['', resolution.happened ? 'check-circle' : 'no-symbol'] as const) : looks[status]
  return (
    <span class={`tag ${tone}`}>
      <Icon name={icon} />
      {found ?? statusWords[status]}
    </span>
  )
}

/** Name of the endpoint called; a long line breaks at the dot. */
export function CallName({
  app,
  endpoint,
}: {
  readonly app: string | null
  readonly endpoint: string | null
}): JSX.Element {
  return (
    <code>
      {app}.<wbr />
      {endpoint}
    </code>
  )
}

/** Calls as a list of links, newest first. */
export function CallList({ lines }: { readonly lines: readonly CallLine[] }): JSX.Element {
  return (
    <ul class="accounts links">
      {lines.map(({ row, action, appName, gist, refusal }) => (
        <li key={row.id}>
          <div class="row">
            <a href={`/calls/${row.id}`}>{action}</a>
            <StatusTag row={row} />
          </div>
          {gist !== undefined && (
            <p class="gist">
              <Text value={gist} />
            </p>
          )}
          <Dotted parts={[appName, <Text value={row.account_label} />, <Ago at={row.created_at} />]} />
          {row.error_code !== null && (
            <p class="hint">
              {refusal === undefined ? (
                (failures[row.error_code] ?? <code>{row.error_code}</code>)
              ) : (
                <>
                  {'The app says: '}
                  <q>
                    <Text value={refusal} />
                  </q>
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Result of a form, shown after the redirect. `what` comes from the query and is untrusted. */
export function FlashMessage(props: {
  readonly what: string | null
  readonly words: Readonly<Record<string, string>>
}): JSX.Element | null {
  const { what, words } = props
  return what === null || !Object.hasOwn(words, what) ? null : (
    <p class="notice good" role="status">
      {words[what]}
    </p>
  )
}
