import type { JSX } from 'preact'
import { Drawer, DrawerButton } from '../parts/drawer.tsx'
import { Here } from '../parts/menu.tsx'

const places = [
  ['/docs/start', 'Quick start'],
  ['/docs', 'Apps'],
  ['/docs/mcp', 'MCP'],
  ['/clients', 'Clients'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/connectors', 'Connectors'],
  ['/docs/errors', 'Errors'],
] as const

/** Longest query, in characters. */
export const longestQuery = 200

/** Navigation of the docs pages, with a search over all of them. */
export function DocsNav({ query }: { readonly query?: string }): JSX.Element {
  return (
    <div class="docs-nav">
      <DrawerButton of="docs-places">Guides</DrawerButton>
      <Drawer id="docs-places" class="docs-places">
        <Here.Consumer>
          {(here) => (
            <nav aria-label="Documentation" class="places">
              <ul>
                {places.map(([path, label]) => (
                  <li key={path}>
                    <a href={path} aria-current={here.split('?')[0] === path ? 'true' : undefined}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </Here.Consumer>
      </Drawer>
      <form class="row" method="get" action="/docs/search" role="search" aria-label="Documentation">
        <label>
          <span class="unseen">Search actions, guides and errors</span>
          <input
            type="search"
            name="q"
            value={query}
            maxlength={longestQuery}
            placeholder="Search actions, guides and errors"
          />
        </label>
        <button class="quiet" type="submit">
          Search
        </button>
      </form>
    </div>
  )
}
