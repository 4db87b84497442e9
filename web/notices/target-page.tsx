import type { JSX } from 'preact'
import type { TargetView } from '../../core/notices/list.ts'
import type { CallKind, Shows } from '../../core/notices/rows.ts'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { LastTry, TestButton } from './devices.tsx'

export const callKinds: readonly (readonly [CallKind, string])[] = [
  ['call.waiting', 'A call is waiting'],
  ['call.final', 'A call has ended'],
]

const amounts: readonly (readonly [Shows, string, string])[] = [
  ['count', 'Only that something is waiting', '1 call waits for your approval'],
  ['action', 'The app and the action', 'Salon: Cancel an appointment'],
  ['all', 'Names and amounts as well', 'Salon: Cancel an appointment: Ana Prado'],
]

interface TargetProps {
  readonly viewer: Viewer
  readonly target: TargetView
  /** Apps with accounts. */
  readonly apps: readonly { readonly slug: string; readonly name: string }[]
  readonly problem: string | undefined
  readonly said: string | null
}

/** Which notifications a target receives, and in what detail. */
export function TargetPage({ viewer, target, apps, problem, said }: TargetProps): JSX.Element {
  const { id, channel, enabled } = target
  const name = channel === 'email' ? viewer.email : (target.name ?? target.url ?? '')
  return (
    <Layout title="Notice settings" viewer={viewer}>
      <p class="eyebrow">
        <a href="/notices">Notices</a>
      </p>
      <h1>
        <Text value={name} />
      </h1>
      <FlashMessage what={said} words={{ saved: 'Saved.', test: 'A test is on its way.' }} />
      <p class="hint">
        {enabled ? 'On' : 'Switched off'} · <LastTry target={target} />
      </p>
      <ActionForm viewer={viewer} action={`/notices/${id}`} label="Notice settings">
        <section class="card stack">
          {(channel === 'push' || channel === 'ntfy') && (
            <label>
              Name
              <input type="text" name="name" value={target.name ?? ''} required maxLength={60} autocomplete="off" />
            </label>
          )}
          {channel !== 'webhook' && <HowMuch shows={target.shows} />}
          <Kinds target={target} apps={apps} />
          {problem !== undefined && (
            <p class="problem" role="alert" id="tell-problem">
              {problem}
            </p>
          )}
          {channel !== 'webhook' && (
            <p class="hint">
              Of ended calls you only hear about changes, not about look-ups or what you rejected or took back yourself.
            </p>
          )}
          <button class="primary" type="submit" name="action" value="save">
            Save
          </button>
        </section>
      </ActionForm>
      <TestButton viewer={viewer} target={target} label={name} />
    </Layout>
  )
}

function HowMuch({ shows }: { readonly shows: Shows }): JSX.Element {
  return (
    <fieldset>
      <legend>What a notice shows, where others may see it</legend>
      {amounts.map(([value, words, example]) => (
        <label key={value} class="tick">
          <input type="radio" name="shows" value={value} checked={shows === value} />
          <span>
            {words}
            <br />
            <span class="hint">{example}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Kinds of notifications per app; for all apps while none is connected. */
function Kinds({ target, apps }: Pick<TargetProps, 'target' | 'apps'>): JSX.Element {
  const { kinds, muted } = target
  const rows = apps.length === 0 ? [{ slug: '*', name: 'Every app' }] : apps
  return (
    <fieldset>
      <legend>Notify about</legend>
      <ul class="told-of">
        {rows.map(({ slug, name }) => (
          <li key={slug}>
            <span>{name}</span>
            <span class="row">
              {callKinds.map(([kind, words]) => (
                <label key={kind} class="tick">
                  <input
                    type="checkbox"
                    name="tell"
                    value={`${slug} ${kind}`}
                    checked={kinds.includes(kind) && !muted.includes(`${slug} ${kind}`)}
                    aria-label={`${name}: ${words}`}
                  />
                  {words}
                </label>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {apps.length > 0 && (
        <p class="hint">Apps you connect later get every kind that is ticked for at least one app.</p>
      )}
    </fieldset>
  )
}
