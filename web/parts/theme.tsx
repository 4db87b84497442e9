import type Koa from 'koa'
import { createContext } from 'preact'
import type { JSX } from 'preact'
import { Cookie } from 'tough-cookie'
import { assetUrl } from './asset-files.ts'

/** Colour theme; `system` unless the user chose another. */
export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']
const cookie = 'callgate-theme'
const days = 365

/** The requesting browser's theme. */
export const ThemeHere = createContext<Theme>('system')

/** The cookie is untrusted: unknown values count as `system`. */
export function themeOf(koa: Koa.Context): Theme {
  return themes.find((theme) => theme === koa.cookies.get(cookie)) ?? 'system'
}

export function keepTheme(koa: Koa.Context, theme: Theme, publicUrl: string): void {
  const maxAge = theme === 'system' ? 0 : days * 86_400
  const set = { key: cookie, value: theme, path: '/', maxAge, httpOnly: true, sameSite: 'Lax' }
  koa.append('Set-Cookie', new Cookie({ ...set, secure: publicUrl.startsWith('https:') }).toString())
}

/** Dark styles, linked in the page so that it never flashes light. Not for print. */
export function ThemeHead({
  theme,
  installable,
}: {
  readonly theme: Theme
  readonly installable: boolean
}): JSX.Element {
  return (
    <>
      <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
      <link rel="stylesheet" href={assetUrl('style.css')} />
      {theme !== 'light' && (
        <link
          rel="stylesheet"
          href={assetUrl('dark.css')}
          media={theme === 'dark' ? 'screen' : 'screen and (prefers-color-scheme: dark)'}
        />
      )}
      {installable && theme === 'system' && (
        <>
          <meta name="theme-color" media="(prefers-color-scheme: light)" content={barColors.light} />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content={barColors.dark} />
        </>
      )}
      {installable && theme !== 'system' && <meta name="theme-color" content={barColors[theme]} />}
    </>
  )
}

const barColors = { light: '#ffffff', dark: '#181f1c' } as const
