import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { ActionForm, FlashMessage, SaveBar } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { ActionTicks } from './action-ticks.tsx'
import type { TypedActions } from './typed-actions.ts'

interface KeyActionsProps {
  readonly viewer: Viewer
  readonly apiKey: KeyView
  /** Apps that the key may use. */
  readonly apps: readonly App[]
  readonly typed: TypedActions
  readonly said: string | null
  readonly problem?: string
}

export function KeyActionsPage({ viewer, apiKey, apps, typed, said, problem }: KeyActionsProps): JSX.Element {
  return (
    <Layout title="Actions of a key" viewer={viewer}>
      <p class="eyebrow">
        <a href={`/keys#${apiKey.id}`}>API keys</a>
      </p>
      <h1>
        What “<Text value={apiKey.name} />” may call
      </h1>
      <p class="lead">
        This is for {apiKey.granted_for === null ? 'this key, and for what replaces it' : 'this program'}. Which apps it
        may use at all, and whether it only reads, stands with it under <a href={`/keys#${apiKey.id}`}>API keys</a>.
      </p>
      <FlashMessage what={said} words={{ saved: 'What it may call is saved. It holds for calls that wait, too.' }} />
      <section class="card">
        <ActionForm viewer={viewer} action={`/keys/${apiKey.id}`} class="long" label="What it may call">
          {problem !== undefined && (
            <p class="notice bad" role="alert">
              Nothing was changed.
            </p>
          )}
          {apps.length === 0 ? (
            <p class="empty">It may use no app.</p>
          ) : (
            <ActionTicks apps={apps} typed={typed} problem={problem} />
          )}
          <SaveBar action="actions" hint="Also applies to waiting calls." />
        </ActionForm>
      </section>
    </Layout>
  )
}
