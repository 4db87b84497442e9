import type { JSX } from 'preact'
import type { BlockedEndpoint } from '../../core/operators/rows.ts'
import type { App } from '../../connectors/registry.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { counted, inWords, Time } from '../parts/time.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

/** Endpoints in cool-down, each with its account and backoff step. */
export function Blocks(props: {
  readonly operator: Operator
  readonly app: App
  readonly blocks: readonly BlockedEndpoint[]
}): JSX.Element {
  const { operator, app, blocks } = props
  return (
    <section class="card" aria-labelledby="blocks">
      <h2 id="blocks">Blocks</h2>
      {blocks.length === 0 ? (
        <p class="empty">The app refuses nothing now.</p>
      ) : (
        <ul class="accounts">
          {blocks.map((block) => (
            <li key={`${block.account}.${block.endpoint}`}>
              <ActionForm
                viewer={operator}
                action={`/apps/${app.slug}`}
                class="row"
                label={`${block.endpoint} of ${block.account}`}
              >
                <input type="hidden" name="account" value={block.account} />
                <input type="hidden" name="endpoint" value={block.endpoint} />
                <span>
                  <code>{block.endpoint}</code> for <Text value={block.label} /> of <Text value={block.email} />
                  <br />
                  <span class="hint">
                    until <Time at={block.until} />, step of {inWords(block.seconds * 1000)},{' '}
                    {counted(block.waiting, 'call waits', 'calls wait')} · <code>{block.account}</code>
                  </span>
                </span>
                <button class="quiet" name="action" value="lift">
                  Try again now
                </button>
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
