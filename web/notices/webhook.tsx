import type { JSX } from 'preact'
import type { TargetView } from '../../core/notices/list.ts'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { LastTry } from './devices.tsx'
import { ActionForm } from '../parts/dashboard.tsx'

const kindWords = { 'call.waiting': 'a call is waiting', 'call.final': 'a call has ended' } as const

const offWords = {
  gone: 'It answered 410, which means that nobody listens there any more, so it was switched off.',
  failing: 'It accepted nothing for three days, so it was switched off.',
} as const

/** A webhook: its health and actions. */
export function WebhookCard({ viewer, target }: { readonly viewer: Viewer; readonly target: TargetView }): JSX.Element {
  const { id, enabled, disabled_reason: reason, kinds, old_secret_until: overlap } = target
  const url = target.url ?? ''
  const action = `/notices/${id}`
  return (
    <article class="card">
      <div class="row">
        <h2>
          <Text value={url} />
        </h2>
        <span class={enabled ? 'tag good' : 'tag'}>{enabled ? 'on' : 'off'}</span>
      </div>
      {reason !== null && <p class="notice bad">{offWords[reason]} Notices not sent yet were dropped.</p>}
      <p class="hint">
        When {kinds.map((kind) => kindWords[kind]).join(', or when ')} · <LastTry target={target} />
        {overlap !== null && (
          <>
            {' · the old secret signs too until '}
            <Time at={overlap} />
          </>
        )}
      </p>
      <ActionForm viewer={viewer} action={action} label={`Webhook ${url}`} class="row buttons">
        {enabled && (
          <button class="quiet" type="submit" name="action" value="test">
            Send a test
          </button>
        )}
        <button class="quiet" type="submit" name="action" value={enabled ? 'off' : 'on'}>
          {enabled ? 'Switch off' : 'Switch on'}
        </button>
      </ActionForm>
      <p>
        <a href={action}>Which apps it hears about</a>
      </p>
      <details>
        <summary>Replace the secret or delete</summary>
        <ActionForm viewer={viewer} action={action} label={`Secret of ${url}`}>
          <p class="hint">
            The current secret keeps signing for a day beside the new one; any older one stops right away.
          </p>
          <button class="quiet" type="submit" name="action" value="secret">
            Make a new secret
          </button>
        </ActionForm>
        <ActionForm viewer={viewer} action={action} label={`Delete ${url}`}>
          <p class="hint">It stops right away, and its secret with it. Notices not sent yet are dropped.</p>
          <button class="danger" type="submit" name="action" value="delete">
            Delete the webhook
          </button>
        </ActionForm>
      </details>
    </article>
  )
}
