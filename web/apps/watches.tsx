import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import type { OwnWatch } from '../../core/watch/watches.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'

/**
 * Daily canary reads with the owner's account, proposed by the operator: the owner agrees to each
 * and can end it.
 */
export function OwnWatches(props: {
  readonly viewer: Viewer
  readonly app: App
  readonly watches: readonly OwnWatch[]
}): JSX.Element | null {
  const { viewer, app, watches } = props
  if (watches.length === 0) return null
  return (
    <section class="card" aria-labelledby="watches">
      <h2 id="watches">Daily looks</h2>
      <p>
        Apps change their pages without telling anybody. Once a day, whoever runs this Callgate would read one thing
        with your account, to see whether the app still answers as before. It changes nothing, costs nothing, and what
        the app says is not kept: only which fields there were.
      </p>
      {watches.map(({ id, endpoint, label, agreed_at: agreed, last_at: last }) => (
        <ActionForm key={id} viewer={viewer} action={`/apps/${app.slug}`} class="row">
          <input type="hidden" name="watch" value={id} />
          <span>
            {actionOf(app.endpoints.get(endpoint), endpoint)} of <Text value={label} />
            {last !== null && (
              <>
                , last <Time at={last} />
              </>
            )}
          </span>
          {agreed === null && (
            <button class="primary" type="submit" name="action" value="agree-watch">
              Agree
            </button>
          )}
          <button class="quiet" type="submit" name="action" value="end-watch">
            {agreed === null ? 'No' : 'Stop'}
          </button>
        </ActionForm>
      ))}
    </section>
  )
}
