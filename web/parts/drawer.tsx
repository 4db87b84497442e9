import type { ComponentChildren, JSX } from 'preact'
import { Icon } from './icon.tsx'

interface DrawerProps {
  /** Of its own on the page. */
  readonly id: string
  readonly class: string
}

/** The button that opens a drawer: without scripts, and Escape, a press beside it or its own button closes it again. */
export function DrawerButton(props: { readonly of: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <button class="quiet opens" type="button" popovertarget={props.of}>
      <Icon name="bars-3" />
      {props.children}
    </button>
  )
}

/** What a narrow screen keeps behind a button; a wide one, by its styles, shows it where it stands. */
export function Drawer(props: DrawerProps & { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div id={props.id} class={`drawer ${props.class}`} popover="auto">
      <button class="quiet closes" type="button" popovertarget={props.id} popovertargetaction="hide">
        <Icon name="x-mark" />
        Close
      </button>
      {props.children}
    </div>
  )
}
