import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { actionOf } from '../parts/declared.ts'
import { counted } from '../parts/time.tsx'
import type { TypedActions } from './typed-actions.ts'

/** Checkboxes of each app's actions: folded, as there are hundreds; a script adds a filter. */
export function ActionTicks(props: {
  readonly apps: readonly App[]
  readonly typed: TypedActions
  readonly problem?: string | undefined
}): JSX.Element {
  const { apps, typed, problem } = props
  const rank = ({ slug }: App): number => (typed.only.includes(slug) ? 0 : 1)
  const limitedFirst = (one: App, other: App): number => rank(one) - rank(other)
  return (
    <fieldset {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': 'problem-actions' })}>
      <legend>May call</legend>
      <p class="hint">All actions of its apps, including future ones, unless you pick some here.</p>
      {problem !== undefined && (
        <span class="problem" id="problem-actions">
          {problem}
        </span>
      )}
      {apps.length > 1 && (
        <label data-narrows hidden>
          Find
          <input type="search" placeholder="an app or an action" autocomplete="off" />
        </label>
      )}
      {apps.toSorted(limitedFirst).map((app) => (
        <ActionsOf key={app.slug} app={app} typed={typed} isOpen={apps.length === 1} />
      ))}
    </fieldset>
  )
}

function ActionsOf(props: { readonly app: App; readonly typed: TypedActions; readonly isOpen: boolean }): JSX.Element {
  const { app, typed, isOpen } = props
  const isLimited = typed.only.includes(app.slug)
  const endpoints = [...app.endpoints.values()]
  const isTicked = (name: string): boolean => typed.ticked.includes(`${app.slug}/${name}`)
  const ticked = endpoints.filter(({ name }) => isTicked(name)).length
  return (
    <details class="choice" id={app.slug} open={isOpen || isLimited || ticked > 0}>
      <summary>
        {app.name}{' '}
        <span class="hint">
          {isLimited ? `only ${ticked} of ${counted(endpoints.length, 'action')}` : counted(endpoints.length, 'action')}
        </span>
      </summary>
      <input type="hidden" name="shown" value={app.slug} />
      <label class="tick">
        <input type="checkbox" name="only" value={app.slug} checked={isLimited} /> only what is ticked here
      </label>
      <div class="ticks">
        {endpoints.map((endpoint) => (
          <label key={endpoint.name} class="tick">
            <input
              type="checkbox"
              name="endpoint"
              value={`${app.slug}/${endpoint.name}`}
              checked={isTicked(endpoint.name)}
            />{' '}
            {actionOf(endpoint, endpoint.name)} {endpoint.access === 'write' && <span class="tag">writes</span>}
          </label>
        ))}
      </div>
    </details>
  )
}
