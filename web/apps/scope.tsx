import type { JSX } from 'preact'
import type { AppSettings, Scope } from '../../core/accounts/settings.ts'
import type { App } from '../../connectors/registry.ts'
import { ActionForm, SaveBar } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import type { Viewer } from '../parts/layout.tsx'

export interface WrongScope extends Pick<Scope, 'endpoints'> {
  readonly mode: Scope['mode'] | undefined
  readonly problem: string
}

/** Which actions of the app agents may use. */
export function ScopeForm(props: {
  readonly viewer: Viewer
  readonly app: App
  readonly settings: AppSettings
  readonly wrong?: WrongScope
}): JSX.Element {
  const { viewer, app, settings, wrong } = props
  const scope = wrong ?? settings.scope
  const modes = [
    ['all', 'Everything'],
    ['read', 'Only read'],
    ['chosen', 'Only what is ticked below'],
  ] as const
  return (
    <section class="card" aria-labelledby="scope">
      <h2 id="scope">What agents may do</h2>
      <ActionForm viewer={viewer} action={`/apps/${app.slug}`} class="long" label="What agents may do">
        {wrong && (
          <p class="notice bad" role="alert">
            Nothing was changed. {wrong.problem}
          </p>
        )}
        <fieldset aria-labelledby="scope">
          {modes.map(([mode, label]) => (
            <label key={mode} class="tick">
              <input type="radio" name="mode" value={mode} checked={scope.mode === mode} /> {label}
            </label>
          ))}
        </fieldset>
        <details open={scope.mode === 'chosen' || wrong !== undefined}>
          <summary>Choose the actions</summary>
          <div class="ticks">
            {[...app.endpoints.values()].map((endpoint) => (
              <label key={endpoint.name} class="tick">
                <input
                  type="checkbox"
                  name="endpoint"
                  value={endpoint.name}
                  checked={scope.endpoints.includes(endpoint.name)}
                />{' '}
                {actionOf(endpoint, endpoint.name)} {endpoint.access === 'write' && <span class="tag">writes</span>}
              </label>
            ))}
          </div>
        </details>
        <SaveBar action="scope" hint="Also applies to waiting calls." />
      </ActionForm>
    </section>
  )
}
