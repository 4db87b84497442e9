import type { ComponentChildren, JSX } from 'preact'
import { Icon } from './icon.tsx'

interface DrawerProps {
  /** Unique on the page. */
  readonly id: string
  readonly class: string
}

/** Opens a drawer, a popover without scripts: Escape, a click outside or its button closes it. */
export function DrawerButton(props: { readonly of: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <button class="quiet opens" type="button" popovertarget={props.of}>
      <Icon name="bars-3" />
      {props.children}
    </button>
  )
}

/** Content behind a button on narrow screens; on wide ones the styles show it inline. */
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
