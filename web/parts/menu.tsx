import { createContext } from 'preact'
import type { ComponentChildren, JSX } from 'preact'

/** The address of the page that is shown: path and query. */
export const Here = createContext('')

/** Where a link of the menu leads, what it says, and which other pages belong to it. */
export type MenuPlace = readonly [path: string, label: ComponentChildren, ...also: string[]]

/** The links to the main pages; the one of the page that is shown is marked. */
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
