import type { JSX } from 'preact'
import type { TargetView } from '../../core/notices/list.ts'
import type { Viewer } from '../parts/layout.tsx'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { resultWords } from './delivery-text.ts'

const offWords = {
  gone: 'It is gone from that device, so it was switched off.',
  failing: 'It accepted nothing for three days, so it was switched off.',
} as const

/** The user's notification targets besides email: devices and ntfy topics. */
export function PersonalTargets(props: {
  readonly viewer: Viewer
  readonly targets: readonly TargetView[]
}): JSX.Element | null {
  const { viewer, targets } = props
  if (targets.length === 0) return null
  return (
    <ul class="accounts">
      {targets.map((target) => (
        <PersonalTarget key={target.id} viewer={viewer} target={target} />
      ))}
    </ul>
  )
}

function PersonalTarget({ viewer, target }: { readonly viewer: Viewer; readonly target: TargetView }): JSX.Element {
  const { id, channel, enabled, disabled_reason: reason, created_at: at, place } = target
  const name = target.name ?? ''
  return (
    <li data-place={place ?? undefined}>
      <div class="row">
        <a href={`/notices/${id}`}>
          <Text value={name} />
        </a>
        <span class="tags">
          <span class="tag" data-here hidden>
            this device
          </span>
          <span class={enabled ? 'tag good' : 'tag'}>{enabled ? 'on' : 'off'}</span>
        </span>
      </div>
      <p class="hint">
        Added <Time at={at} /> · <LastTry target={target} />
        {reason !== null && ` · ${offWords[reason]}`}
      </p>
      <div class="row buttons">
        <TestButton viewer={viewer} target={target} label={name} />
        {reason !== 'gone' && (
          <ActionForm viewer={viewer} action={`/notices/${id}`} label={`Switch ${name}`} class="row">
            <button class="quiet" type="submit" name="action" value={enabled ? 'off' : 'on'}>
              {enabled ? 'Switch off' : 'Switch on'}
            </button>
          </ActionForm>
        )}
        <Sure what={channel === 'push' ? 'Remove' : 'Delete'}>
          <ActionForm viewer={viewer} action={`/notices/${id}`} label={`End ${name}`}>
            <p class="hint">It gets no more notices, and those not sent yet are dropped.</p>
            <button class="danger" type="submit" name="action" value="delete">
              {channel === 'push' ? 'Remove this device' : 'Delete this topic'}
            </button>
          </ActionForm>
        </Sure>
      </div>
    </li>
  )
}

/** Sends a test notification. */
export function TestButton(props: {
  readonly viewer: Viewer
  readonly target: TargetView
  readonly label: string
}): JSX.Element | null {
  const { viewer, target, label } = props
  if (!target.enabled) return null
  return (
    <ActionForm viewer={viewer} action={`/notices/${target.id}`} label={`Test ${label}`} class="row">
      <button class="quiet" type="submit" name="action" value="test">
        Send a test
      </button>
    </ActionForm>
  )
}

export function LastTry({ target }: { readonly target: TargetView }): JSX.Element {
  const { channel, last_try_at: at, last_result: result } = target
  if (at === null || result === null) return <>nothing sent yet</>
  const isTaken = channel !== 'webhook' && /^2\d\d$/.test(result)
  return (
    <>
      last try <Time at={at} />: {isTaken ? 'delivered' : resultWords(result)}
    </>
  )
}

/** Adds this device. `publicKey`: VAPID key; browsers accept no pushes without it. */
export function AddDevice(props: {
  readonly viewer: Viewer
  readonly publicKey: string
  readonly name: string
  readonly problem: string | undefined
}): JSX.Element {
  const { viewer, publicKey, name, problem } = props
  return (
    <div data-device={publicKey}>
      <p class="hint" data-unable>
        To get notices on this device, open this page over https in a browser that can show them. On an iPhone or iPad,
        first add Callgate to the home screen, and open it from there.
      </p>
      <p class="problem" role="alert" data-problem hidden={problem === undefined}>
        {problem}
      </p>
      <form class="stack" method="post" action="/notices" aria-label="This device" hidden>
        <input type="hidden" name="csrf" value={viewer.csrf} />
        <input type="hidden" name="action" value="add-device" />
        <input type="hidden" name="subscription" />
        <label>
          Name of this device
          <input type="text" name="name" value={name} required maxLength={60} autocomplete="off" />
        </label>
        <button class="primary" type="submit">
          Notify me on this device
        </button>
      </form>
    </div>
  )
}
