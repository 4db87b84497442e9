import type { ComponentChildren, JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { assetUrl } from './asset-files.ts'
import { Drawer, DrawerButton } from './drawer.tsx'
import { Menu } from './menu.tsx'
import type { MenuPlace } from './menu.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { ThemeHead, ThemeHere } from './theme.tsx'

export interface Viewer {
  readonly email: string
  /** Calls that wait for their decision. */
  readonly waiting: number
  readonly csrf: string
}

type Script = 'connect.js' | 'device.js' | 'passkey.js' | 'play.js' | 'waiting.js'

interface LayoutProps {
  readonly title: string
  /** The signed-in user; unset on sign-in pages. */
  readonly viewer?: Viewer | undefined
  readonly wide?: boolean
  /** Reload after this many seconds: something is in progress and no script follows it. */
  readonly refresh?: number | undefined
  /** Replaces the header, on pages that are not for users. */
  readonly top?: { readonly bar?: ComponentChildren; readonly side?: ComponentChildren }
  /** Scripts that only this page needs. */
  readonly script?: Script | readonly Script[]
  /** Page with a submit button that is enabled only once the user can have read what it sends. */
  readonly guard?: boolean
  /** Nothing on the page updates live, so it loads without htmx. */
  readonly still?: boolean
  readonly children: ComponentChildren
}

/** The layout of all pages. */
export function Layout(props: LayoutProps): JSX.Element {
  const { title, viewer, wide, refresh, script, guard, still, top, children } = props
  const isLive = viewer !== undefined && still !== true
  const theme = useContext(ThemeHere)
  const side = top ? top.side : viewer && <Side viewer={viewer} />
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Callgate`}</title>
        {guard === true && <script src={assetUrl('approve.js')} />}
        <ThemeHead theme={theme} installable={top === undefined} />
        <link rel="icon" href={icon} />
        {top === undefined && <Installable />}
        {isLive && <meta name="htmx-config" content={htmxConfig} />}
        {isLive && <script src={assetUrl('htmx.js')} defer />}
        <script src={assetUrl('page.js')} defer />
        {[script ?? []].flat().map((name) => (
          <script key={name} src={assetUrl(name)} defer />
        ))}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <div class="bar">
            <a class="brand" href="/">
              <Gate />
              Callgate
            </a>
            {top ? top.bar : viewer ? <WaitingLink viewer={viewer} /> : <Menu places={openPlaces} />}
            {side && <DrawerButton of="menu">Menu</DrawerButton>}
          </div>
          {side && (
            <Drawer id="menu" class="side">
              {side}
            </Drawer>
          )}
        </header>
        <main id="main" class={wide === true ? 'wide' : undefined}>
          {children}
        </main>
      </body>
    </html>
  )
}

/** Links and tags for installing the pages as an app. */
function Installable(): JSX.Element {
  return (
    <>
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="apple-touch-icon" href={assetUrl('icon-180.png')} />
    </>
  )
}

/** Never swap error responses into a page; leave history to the browser. */
const htmxConfig = JSON.stringify({
  history: 'reload',
  includeIndicatorCSS: false,
  noSwap: [204, 304, '4xx', '5xx'],
})

const openPlaces: readonly MenuPlace[] = [
  ['/docs', 'Docs'],
  ['/login', 'Sign in'],
]

function placesOf({ waiting }: Viewer): readonly MenuPlace[] {
  return [
    ['/', <Named icon="home" name="Overview" />],
    ['/waiting', <Waiting waiting={waiting} />, '/confirm'],
    ['/calls', <Named icon="queue-list" name="Calls" />],
    ['/apps', <Named icon="squares-2x2" name="Apps" />, '/connect', '/access'],
    ['/keys', <Named icon="key" name="Keys" />],
    ['/credits', <Named icon="circle-stack" name="Credits" />],
    ['/usage', <Named icon="chart-bar" name="Usage" />],
    ['/play', <Named icon="play" name="Try" />],
    ['/account', <Named icon="user-circle" name="Account" />, '/standing', '/notices', '/people'],
    ['/docs', <Named icon="book-open" name="Docs" />],
  ]
}

/** A menu entry. */
export function Named({ icon, name }: { readonly icon: IconName; readonly name: string }): JSX.Element {
  return (
    <>
      <Icon name={icon} />
      {name}
    </>
  )
}

function Side({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <>
      <Menu class="menu" places={placesOf(viewer)} />
      <SignOut viewer={viewer} />
    </>
  )
}

/** Visible without the menu, too. Open pages poll for the count, which also updates the menu. */
function WaitingLink({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <a class="waiting" href="/waiting">
      Waiting
      <span hx-get="/waiting/count" hx-trigger="every 15s">
        <WaitingCount waiting={viewer.waiting} />
      </span>
    </a>
  )
}

function Waiting({ waiting }: { readonly waiting: number }): JSX.Element {
  return (
    <>
      <Named icon="inbox" name="Waiting" />
      <WaitingCount waiting={waiting} />
    </>
  )
}

/** Part of every page, and polled by open ones. */
export function WaitingCount({ waiting }: { readonly waiting: number }): JSX.Element {
  return (
    <span class="tag warn" data-waiting hidden={waiting === 0}>
      {waiting}
    </span>
  )
}

function SignOut({ viewer }: { viewer: Viewer }): JSX.Element {
  return (
    <form class="viewer" method="post" action="/logout">
      <input type="hidden" name="csrf" value={viewer.csrf} />
      <span class="email" title="Signed in">
        {viewer.email}
      </span>
      <button class="quiet" type="submit">
        <Icon name="arrow-right-start-on-rectangle" />
        Sign out
      </button>
    </form>
  )
}

function Gate(): JSX.Element {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2.2"
      stroke-linecap="round"
    >
      <path d="M4 20V11a8 8 0 0 1 16 0v9" />
      <path d="M9.5 20v-8.5a2.5 2.5 0 0 1 5 0V20" />
    </svg>
  )
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0b6b50" stroke-width="2.6" stroke-linecap="round"><path d="M4 20V11a8 8 0 0 1 16 0v9M9.5 20v-8.5a2.5 2.5 0 0 1 5 0V20"/></svg>',
)}`
