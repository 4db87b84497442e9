import { createContext } from 'preact'
import type { ComponentChildren, JSX } from 'preact'

/** Path and query of the current page. */
export const Here = createContext('')

/** A menu link: path, label, and paths of further pages that belong to it. */
export type MenuPlace = readonly [path: string, label: ComponentChildren, ...also: string[]]

/** Links to the main pages, the current one marked. */
export function Menu(props: { readonly places: readonly MenuPlace[]; readonly class?: string }): JSX.Element {
  const { places } = props
  return (
    <Here.Consumer>
      {(here) => {
        const current = places.findLast((place) => leadsTo(place, here))
        return (
          <nav aria-label="Main" class={props.class}>
            {places.map((place) => (
              <a key={place[0]} href={place[0]} aria-current={place === current ? 'page' : undefined}>
                {place[1]}
              </a>
            ))}
          </nav>
        )
      }}
    </Here.Consumer>
  )
}

function leadsTo([path, , ...also]: MenuPlace, here: string): boolean {
  const [shown = ''] = here.split('?')
  return (
    here === path || shown === path || [path, ...also].some((one) => one !== '/' && `${shown}/`.startsWith(`${one}/`))
  )
}
